import { VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import type { Owned } from "@kinora/storage/video/ownership/OwnedItem"
import { Context, Effect, Layer, Option } from "effect"
import { mayOnChannel } from "../../people/channel/ChannelRights.ts"
import type { AccessRefused, Presented } from "../list/VideoAccess.ts"
import { VideoPermissions } from "../list/VideoPermissions.ts"

/** A video or channel with its owner at this moment. */
export type OwnedItem = Owned & { readonly ownerAccountId: number }

/** Finds the videos and channels that users may give away. */
export class TransferableItems extends Context.Service<
  TransferableItems,
  {
    readonly video: (id: VideoIdOrUuid, presented: Presented) => Effect.Effect<OwnedItem, AccessRefused | Forbidden>
    readonly channel: (
      handle: ActorHandle,
      user: CurrentUserShape
    ) => Effect.Effect<OwnedItem, VideoChannelNotFound | Forbidden | DatabaseUnavailable>
  }
>()("@kinora/node/video/ownership/TransferableItems") {
  static readonly layer = Layer.effect(
    TransferableItems,
    Effect.gen(function* () {
      const channels = yield* ChannelRows
      const permissions = yield* VideoPermissions

      const video = Effect.fnUntraced(function* (id: VideoIdOrUuid, presented: Presented) {
        const found = yield* permissions.open(id, presented, "give")
        return { kind: "video" as const, id: found.id, ownerAccountId: found.accountId }
      })

      const channel = Effect.fnUntraced(function* (handle: ActorHandle, user: CurrentUserShape) {
        const found = yield* channels.byHandle(handle)
        if (Option.isNone(found)) return yield* new VideoChannelNotFound()
        if (!mayOnChannel(user, "give", found.value)) {
          return yield* new Forbidden({ reason: "Only the owner may transfer a channel" })
        }
        return { kind: "channel" as const, id: found.value.id, ownerAccountId: found.value.accountId }
      })

      return TransferableItems.of({ video, channel })
    })
  )
}
