import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { VideoTokenResponse } from "@kinora/domain/wire/VideoAnswers"
import { InstanceSettings } from "@kinora/storage/instance/installation/InstanceSettings"
import { VideoFactRows } from "@kinora/storage/video/access/VideoFacts"
import { Clock, Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import { AccessTokens } from "../../people/session/AccessTokens.ts"
import { newSecret } from "../../people/session/RandomText.ts"

/** Contract: Lifetimes, videoFileToken. */
const lifetime = Duration.hours(8)
const settingKey = "video_file_token_secret"
const tokenPattern = /^(o|s[0-9a-z]{1,7}|p[A-Za-z0-9_-]{22})\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{43})$/
const digestBytes = 16

/** What the bearer of a token may see a video by: the right of a user, or a password of the video. */
export type FileTokenReason = { readonly _tag: "User"; readonly user: CurrentUserShape } | { readonly _tag: "Password" }

/** Whom a token is made for, and the password that opened the video, if one did. */
export interface FileTokenFor {
  readonly user: Option.Option<CurrentUserShape>
  readonly password?: string | undefined
}

interface NamedVideo {
  readonly id: number
  readonly uuid: string
}

/**
 * Tokens that open the files of one video for eight hours at most, whoever carries them: players cannot send headers with
 * every request. A token names why it was given: a session, or a password of the video. That is looked up whenever it is
 * used, so that it ends with the session, the password or the right. What it says is signed (HMAC-SHA-256) with a secret of
 * the instance: every node knows a token when it sees one and none has to be stored.
 */
export class VideoFileTokens extends Context.Service<
  VideoFileTokens,
  {
    readonly issue: (video: NamedVideo, viewer: FileTokenFor) => Effect.Effect<VideoTokenResponse>
    /** By what the token lets its bearer see the video now, if that still stands. The caller decides what it opens. */
    readonly reason: (
      token: string,
      video: NamedVideo
    ) => Effect.Effect<Option.Option<FileTokenReason>, DatabaseUnavailable>
  }
>()("@kinora/node/videos/VideoFileTokens") {
  static readonly layer: Layer.Layer<
    VideoFileTokens,
    DatabaseUnavailable,
    InstanceSettings | AccessTokens | VideoFactRows
  > = Layer.effect(
    VideoFileTokens,
    Effect.gen(function* () {
      const settings = yield* InstanceSettings
      const sessions = yield* AccessTokens
      const rows = yield* VideoFactRows
      const secret = Buffer.from(yield* settings.textOr(settingKey, newSecret()), "base64url")
      const sign = (text: string) => createHmac("sha256", secret).update(text).digest()
      const signature = (uuid: string, subject: string, expiry: string) =>
        sign(`video file ${uuid} ${subject} ${expiry}`)
      /** Names a password to those who know it and the secret. */
      const passwordDigest = (uuid: string, password: string) =>
        sign(`video password ${uuid} ${password}`).subarray(0, digestBytes).toString("base64url")

      const subjectOf = ({ uuid }: NamedVideo, { password, user }: FileTokenFor): string => {
        if (password !== undefined) return `p${passwordDigest(uuid, password)}`
        // Of a video that is open to everybody: the token adds nothing.
        return Option.match(user, { onNone: () => "o", onSome: ({ tokenId }) => `s${tokenId.toString(36)}` })
      }

      const issue = Effect.fn("VideoFileTokens.issue")(function* (video: NamedVideo, viewer: FileTokenFor) {
        const expires = DateTime.addDuration(yield* DateTime.now, lifetime)
        const expiry = DateTime.toEpochMillis(expires).toString(36)
        const subject = subjectOf(video, viewer)
        return {
          files: {
            token: `${subject}.${expiry}.${signature(video.uuid, subject, expiry).toString("base64url")}`,
            expires: DateTime.formatIso(expires)
          }
        }
      })

      const reason = Effect.fnUntraced(function* (
        token: string,
        video: NamedVideo
      ): Effect.fn.Return<Option.Option<FileTokenReason>, DatabaseUnavailable> {
        const [, subject, expiry, signed] = tokenPattern.exec(token) ?? []
        if (subject === undefined || expiry === undefined || signed === undefined) return Option.none()
        const isOurs = timingSafeEqual(Buffer.from(signed, "base64url"), signature(video.uuid, subject, expiry))
        if (!isOurs || Number.parseInt(expiry, 36) <= (yield* Clock.currentTimeMillis)) return Option.none()
        if (subject.startsWith("s")) {
          const user = yield* sessions.ofSession(Number.parseInt(subject.slice(1), 36))
          return Option.map(user, (it) => ({ _tag: "User", user: it }))
        }
        if (!subject.startsWith("p")) return Option.none()
        const passwords = yield* rows.passwords(video.id)
        return passwords.some((password) => `p${passwordDigest(video.uuid, password)}` === subject)
          ? Option.some({ _tag: "Password" })
          : Option.none()
      })

      return VideoFileTokens.of({ issue, reason })
    })
  )
}
