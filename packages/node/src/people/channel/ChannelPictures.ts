import { ChannelActivityAction, ChannelActivityTarget } from "@kinora/domain/enums/ChannelActivity"
import { type ActorImageType, actorImageTypeIds } from "@kinora/domain/enums/ImageSizes"
import type { ActorImage } from "@kinora/domain/wire/ActorImage"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { type ChannelRow, ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { ChannelActivities } from "@kinora/storage/people/collaborator/ChannelActivities"
import { Context, Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { ActorImages } from "../actor/ActorImages.ts"
import { ImageUpload } from "../actor/ImageUpload.ts"
import { ChannelActs } from "./ChannelActs.ts"

type Upload = ReturnType<ImageUpload["Service"]["read"]>
type Setting = ReturnType<ActorImages["Service"]["set"]>
type Removal = ReturnType<ActorImages["Service"]["remove"]>

/** Avatars and banners of channels. Permission is checked by the caller. */
export class ChannelPictures extends Context.Service<
  ChannelPictures,
  {
    /** Reads the image from the form of a request and returns its sizes, largest first. */
    readonly set: (
      channel: ChannelRow,
      type: ActorImageType,
      asker: CurrentUserShape,
      request: HttpServerRequest
    ) => Effect.Effect<ReadonlyArray<ActorImage>, Effect.Error<Upload> | Effect.Error<Setting>>
    /** Removes the image. Does nothing if there is none. */
    readonly remove: (
      channel: ChannelRow,
      type: ActorImageType,
      asker: CurrentUserShape
    ) => Effect.Effect<void, Effect.Error<Removal>>
  }
>()("@kinora/node/channels/ChannelPictures") {
  static readonly layer = Layer.effect(
    ChannelPictures,
    Effect.gen(function* () {
      const uploads = yield* ImageUpload
      const images = yield* ActorImages
      const rows = yield* ChannelRows
      const activities = yield* ChannelActivities
      const acts = yield* ChannelActs

      // Recorded after the image, which is made and stored outside of any transaction.
      const record = (channel: ChannelRow, asker: CurrentUserShape) =>
        activities.record({
          channelId: channel.id,
          accountId: asker.accountId,
          action: ChannelActivityAction.update,
          targetType: ChannelActivityTarget.channel,
          target: {}
        })

      const set = Effect.fn("ChannelPictures.set")(function* (
        channel: ChannelRow,
        type: ActorImageType,
        asker: CurrentUserShape,
        request: HttpServerRequest
      ) {
        const file = yield* uploads.read(request, type)
        const around = acts.change({ user: asker, channel }, "edit", { action: `set-${type}` })
        const made = yield* images.set(channel.actorId, type, file, around)
        yield* record(channel, asker)
        return made
      }, Effect.scoped)

      const remove = Effect.fn("ChannelPictures.remove")(function* (
        channel: ChannelRow,
        type: ActorImageType,
        asker: CurrentUserShape
      ) {
        if (!(yield* rows.hasPicture(channel.actorId, actorImageTypeIds[type]))) return
        const around = acts.change({ user: asker, channel }, "edit", { action: `delete-${type}` })
        yield* around(images.remove(channel.actorId, type))
        yield* record(channel, asker)
      })

      return ChannelPictures.of({ set, remove })
    })
  )
}
