import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { MaxFileSizeReached, UnsupportedMediaFile } from "@kinora/domain/errors/UploadErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { UploadChannels } from "@kinora/storage/uploads/UploadChannels"
import type { UploadLimits } from "@kinora/storage/uploads/UploadSession"
import { Context, Effect, Layer, Option } from "effect"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { acceptedExtensions, looksAcceptable } from "./MediaTypes.ts"
import { UploadDisk } from "./UploadDisk.ts"
import { UploadSettings } from "./UploadSettings.ts"

/** Everything that can be refused before the bytes are there. */
export class Admission extends Context.Service<
  Admission,
  {
    /** The channel is local and of this user. Gives the account that owns it. */
    readonly channel: (
      user: CurrentUserShape,
      channelId: number
    ) => Effect.Effect<{ readonly accountId: number }, InvalidParameters | DatabaseUnavailable>
    /** Name or media type hint at something we take. */
    readonly type: (filename: string, contentType: string) => Effect.Effect<void, UnsupportedMediaFile>
    /** Not larger than the instance takes. */
    readonly size: (bytes: number) => Effect.Effect<void, MaxFileSizeReached>
    /** What an upload of this user has to fit into at this moment. */
    readonly limits: (user: CurrentUserShape) => Effect.Effect<UploadLimits>
  }
>()("@kinora/node/uploads/Admission") {
  static readonly layer = Layer.effect(
    Admission,
    Effect.gen(function* () {
      const settings = yield* UploadSettings
      const channels = yield* UploadChannels
      const disk = yield* UploadDisk
      return Admission.of({
        channel: Effect.fn("Admission.channel")(function* (user: CurrentUserShape, channelId: number) {
          const channel = yield* channels.find(channelId)
          if (Option.isNone(channel) || channel.value.userId !== user.id) {
            return yield* InvalidParameters.one("channelId", "Unknown channel of this account", "body", channelId)
          }
          return { accountId: channel.value.accountId }
        }),
        type: (filename, contentType) =>
          looksAcceptable(filename, contentType, settings)
            ? Effect.void
            : Effect.fail(new UnsupportedMediaFile({ extensions: acceptedExtensions(settings) })),
        size: (bytes) =>
          settings.maxFileSize !== -1 && bytes > settings.maxFileSize
            ? Effect.fail(new MaxFileSizeReached({ maxBytes: settings.maxFileSize }))
            : Effect.void,
        limits: (user) =>
          Effect.map(disk.free, (diskFree) => ({
            quota: user.videoQuota,
            quotaDaily: user.videoQuotaDaily,
            diskFree,
            sessions: settings.sessionsPerUser
          }))
      })
    })
  )
}
