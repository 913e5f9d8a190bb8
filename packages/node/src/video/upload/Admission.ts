import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { MaxFileSizeReached, UnsupportedMediaFile } from "@kinora/domain/errors/UploadErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { type UploadChannel, UploadChannels } from "@kinora/storage/video/upload/UploadChannels"
import type { UploadLimits } from "@kinora/storage/video/upload/UploadSession"
import { Context, Effect, Layer, Option } from "effect"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { mayOnChannel } from "../../people/channel/ChannelRights.ts"
import { acceptedExtensions, looksAcceptable } from "./MediaTypes.ts"
import { UploadDisk } from "../staging/UploadDisk.ts"
import { UploadSettings } from "../staging/UploadSettings.ts"

/** The refusal of a channel that is none of this instance, or that the user may not publish in. */
export const unknownChannel = (channelId: number) =>
  InvalidParameters.one("channelId", "Unknown channel of this account", "body", channelId)

/** Everything that can be refused before the bytes are there. */
export class Admission extends Context.Service<
  Admission,
  {
    /** The channel is local and this user may publish in it: its owner and who accepted to work on it. */
    readonly channel: (
      user: CurrentUserShape,
      channelId: number
    ) => Effect.Effect<UploadChannel, InvalidParameters | DatabaseUnavailable>
    /** Name or media type hint at something we take. */
    readonly type: (filename: string, contentType: string) => Effect.Effect<void, UnsupportedMediaFile>
    /** Not larger than the instance takes. */
    readonly size: (bytes: number) => Effect.Effect<void, MaxFileSizeReached>
    /** What an upload has to fit into at this moment, by the quotas of who pays for it. */
    readonly limits: (payer: Pick<UploadChannel, "videoQuota" | "videoQuotaDaily">) => Effect.Effect<UploadLimits>
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
          if (Option.isNone(channel) || !mayOnChannel(user, "publish", { ...channel.value, isLocal: true })) {
            return yield* unknownChannel(channelId)
          }
          return channel.value
        }),
        type: (filename, contentType) =>
          looksAcceptable(filename, contentType, settings)
            ? Effect.void
            : Effect.fail(new UnsupportedMediaFile({ extensions: acceptedExtensions(settings) })),
        size: (bytes) =>
          settings.maxFileSize !== -1 && bytes > settings.maxFileSize
            ? Effect.fail(new MaxFileSizeReached({ maxBytes: settings.maxFileSize }))
            : Effect.void,
        limits: (payer) =>
          Effect.map(disk.free, (diskFree) => ({
            quota: payer.videoQuota,
            quotaDaily: payer.videoQuotaDaily,
            diskFree,
            sessions: settings.sessionsPerUser
          }))
      })
    })
  )
}
