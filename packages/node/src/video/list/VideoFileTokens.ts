import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { VideoTokenResponse } from "@kinora/domain/wire/VideoAnswers"
import type { InstanceSettings } from "@kinora/storage/instance/installation/InstanceSettings"
import { VideoFactRows } from "@kinora/storage/video/access/VideoFacts"
import { Clock, Context, DateTime, Effect, Layer, Option } from "effect"
import { AccessTokens } from "../../people/session/AccessTokens.ts"
import { type FileTokenFor, fileTokenLifetime, FileTokenSigner } from "./FileTokenSigner.ts"

/** What the bearer of a token may see a video by: the right of a user, or a password of the video. */
export type FileTokenReason = { readonly _tag: "User"; readonly user: CurrentUserShape } | { readonly _tag: "Password" }

interface NamedVideo {
  readonly id: number
  readonly uuid: string
}

/**
 * Tokens that open the files of one video for eight hours at most, whoever carries them: players cannot send headers with
 * every request. A token names why it was given: a session, or a password of the video. That is looked up whenever it is
 * used, so that it ends with the session, the password or the right. What it says is signed with a secret of the instance:
 * every node knows a token when it sees one and none has to be stored.
 */
export class VideoFileTokens extends Context.Service<
  VideoFileTokens,
  {
    readonly issue: (video: NamedVideo, viewer: FileTokenFor) => Effect.Effect<VideoTokenResponse>
    /** The token for addresses of pictures: the same for the same viewer for an hour. */
    readonly forPictures: (video: NamedVideo, viewer: FileTokenFor) => Effect.Effect<string>
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
      const signer = yield* FileTokenSigner
      const sessions = yield* AccessTokens
      const rows = yield* VideoFactRows

      const issue = Effect.fn("VideoFileTokens.issue")(function* (video: NamedVideo, viewer: FileTokenFor) {
        const expires = DateTime.addDuration(yield* DateTime.now, fileTokenLifetime)
        const token = signer.sign(video.uuid, viewer, DateTime.toEpochMillis(expires))
        return { files: { token, expires: DateTime.formatIso(expires) } }
      })

      const forPictures = (video: NamedVideo, viewer: FileTokenFor) =>
        Effect.map(signer.picturesExpire, (expires) => signer.sign(video.uuid, viewer, expires))

      const reason = Effect.fnUntraced(function* (
        token: string,
        video: NamedVideo
      ): Effect.fn.Return<Option.Option<FileTokenReason>, DatabaseUnavailable> {
        const claim = Option.getOrUndefined(signer.read(video.uuid, token))
        if (claim === undefined || claim.expires <= (yield* Clock.currentTimeMillis)) return Option.none()
        const { subject } = claim
        if (subject.startsWith("s")) {
          const user = yield* sessions.ofSession(Number.parseInt(subject.slice(1), 36))
          return Option.map(user, (it) => ({ _tag: "User", user: it }))
        }
        if (!subject.startsWith("p")) return Option.none()
        const passwords = yield* rows.passwords(video.id)
        return passwords.some((password) => signer.passwordSubject(video.uuid, password) === subject)
          ? Option.some({ _tag: "Password" })
          : Option.none()
      })

      return VideoFileTokens.of({ issue, forPictures, reason })
    })
  ).pipe(Layer.provide(FileTokenSigner.layer))
}
