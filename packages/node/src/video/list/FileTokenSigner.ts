import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { InstanceSettings } from "@kinora/storage/instance/installation/InstanceSettings"
import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import { newSecret } from "../../people/session/RandomText.ts"

/** Contract: Lifetimes, videoFileToken. */
export const fileTokenLifetime = Duration.hours(8)
/** For so long the same viewer gets the same token for pictures, so that browsers keep these. */
const pictureHour = Duration.toMillis(Duration.hours(1))
const settingKey = "video_file_token_secret"
const tokenPattern = /^(o|s[0-9a-z]{1,7}|p[A-Za-z0-9_-]{22})\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{43})$/
const digestBytes = 16

/** Whom a token is made for, and the password that opened the video, if one did. */
export interface FileTokenFor {
  readonly user: Option.Option<CurrentUserShape>
  readonly password?: string | undefined
}

/** What a token says, once its signature holds: `s` and a session, `p` and the digest of a password, or `o`. */
export interface FileTokenClaim {
  readonly subject: string
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** Signs what tokens for the files of videos say (HMAC-SHA-256), with a secret that all nodes of the instance share. */
export class FileTokenSigner extends Context.Service<
  FileTokenSigner,
  {
    readonly sign: (uuid: string, viewer: FileTokenFor, expires: number) => string
    /** None: the token is not one of ours for this video. */
    readonly read: (uuid: string, token: string) => Option.Option<FileTokenClaim>
    /** Names a password to those who know it and the secret. */
    readonly passwordSubject: (uuid: string, password: string) => string
    /** When tokens for pictures expire: seven to eight hours from now, and the same for an hour. */
    readonly picturesExpire: Effect.Effect<number>
  }
>()("@kinora/node/videos/FileTokenSigner") {
  static readonly layer: Layer.Layer<FileTokenSigner, DatabaseUnavailable, InstanceSettings> = Layer.effect(
    FileTokenSigner,
    Effect.gen(function* () {
      const settings = yield* InstanceSettings
      const secret = Buffer.from(yield* settings.textOr(settingKey, newSecret()), "base64url")
      const mac = (text: string) => createHmac("sha256", secret).update(text).digest()
      const signature = (uuid: string, subject: string, expiry: string) =>
        mac(`video file ${uuid} ${subject} ${expiry}`)
      const passwordSubject = (uuid: string, password: string) =>
        `p${mac(`video password ${uuid} ${password}`).subarray(0, digestBytes).toString("base64url")}`

      const subjectOf = (uuid: string, { password, user }: FileTokenFor): string => {
        if (password !== undefined) return passwordSubject(uuid, password)
        // Of a video that is open to everybody: the token adds nothing.
        return Option.match(user, { onNone: () => "o", onSome: ({ tokenId }) => `s${tokenId.toString(36)}` })
      }

      return FileTokenSigner.of({
        sign: (uuid, viewer, expires) => {
          const subject = subjectOf(uuid, viewer)
          const expiry = expires.toString(36)
          return `${subject}.${expiry}.${signature(uuid, subject, expiry).toString("base64url")}`
        },
        read: (uuid, token) => {
          const [, subject, expiry, signed] = tokenPattern.exec(token) ?? []
          if (subject === undefined || expiry === undefined || signed === undefined) return Option.none()
          const isOurs = timingSafeEqual(Buffer.from(signed, "base64url"), signature(uuid, subject, expiry))
          return isOurs ? Option.some({ subject, expires: Number.parseInt(expiry, 36) }) : Option.none()
        },
        passwordSubject,
        picturesExpire: Effect.map(
          Clock.currentTimeMillis,
          (now) => now - (now % pictureHour) + Duration.toMillis(fileTokenLifetime)
        )
      })
    })
  )
}
