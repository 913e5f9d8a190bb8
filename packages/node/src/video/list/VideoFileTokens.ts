import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoTokenResponse } from "@kinora/domain/wire/VideoAnswers"
import { InstanceSettings } from "@kinora/storage/instance/installation/InstanceSettings"
import { Clock, Context, DateTime, Duration, Effect, Layer } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import { newSecret } from "../../people/session/RandomText.ts"

/** Contract: Lifetimes, videoFileToken. */
const lifetime = Duration.hours(8)
const settingKey = "video_file_token_secret"
const tokenPattern = /^([0-9a-z]{1,11})\.([A-Za-z0-9_-]{43})$/

/**
 * Tokens that open the files of one video for eight hours, whoever carries them: players cannot send headers with every
 * request. A token is its expiry and a signature (HMAC-SHA-256) over video and expiry; the secret belongs to the
 * instance, so that every node knows a token when it sees one and none has to be stored.
 */
export class VideoFileTokens extends Context.Service<
  VideoFileTokens,
  {
    readonly issue: (uuid: string) => Effect.Effect<VideoTokenResponse>
    /** Whether the token opens the video now. */
    readonly opens: (token: string, uuid: string) => Effect.Effect<boolean>
  }
>()("@kinora/node/videos/VideoFileTokens") {
  static readonly layer: Layer.Layer<VideoFileTokens, DatabaseUnavailable, InstanceSettings> = Layer.effect(
    VideoFileTokens,
    Effect.gen(function* () {
      const settings = yield* InstanceSettings
      const secret = Buffer.from(yield* settings.textOr(settingKey, newSecret()), "base64url")
      const sign = (uuid: string, expiry: string) =>
        createHmac("sha256", secret).update(`video file ${uuid} ${expiry}`).digest()

      const issue = Effect.fn("VideoFileTokens.issue")(function* (uuid: string) {
        const expires = DateTime.addDuration(yield* DateTime.now, lifetime)
        const expiry = DateTime.toEpochMillis(expires).toString(36)
        return {
          files: {
            token: `${expiry}.${sign(uuid, expiry).toString("base64url")}`,
            expires: DateTime.formatIso(expires)
          }
        }
      })

      const opens = Effect.fnUntraced(function* (token: string, uuid: string) {
        const parts = tokenPattern.exec(token)
        if (parts === null) return false
        const now = yield* Clock.currentTimeMillis
        const signature = Buffer.from(parts[2]!, "base64url")
        return timingSafeEqual(signature, sign(uuid, parts[1]!)) && Number.parseInt(parts[1]!, 36) > now
      })

      return VideoFileTokens.of({ issue, opens })
    })
  )
}
