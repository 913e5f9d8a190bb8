import { BlockNotFound, BlockRefused } from "@kinora/domain/errors/BlockErrors"
import type { NewVideoBlock, VideoBlockUpdate } from "@kinora/domain/requests/BlockRequests"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { VideoBlockRows } from "@kinora/storage/video/block/VideoBlockRows"
import { Context, Effect, Layer, Option } from "effect"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { type AccessRefused, type Presented, VideoAccess } from "../list/VideoAccess.ts"

/** Blocks videos. The right to do so is checked by the endpoints; `presented` names the same user as `user`. */
export class VideoBlocks extends Context.Service<
  VideoBlocks,
  {
    /** Refused for a video that is blocked, and where one of another instance is to be taken from others. */
    readonly add: (
      user: CurrentUserShape,
      id: VideoIdOrUuid,
      block: NewVideoBlock,
      presented: Presented
    ) => Effect.Effect<void, AccessRefused | BlockRefused>
    readonly update: (
      user: CurrentUserShape,
      id: VideoIdOrUuid,
      notes: VideoBlockUpdate,
      presented: Presented
    ) => Effect.Effect<void, AccessRefused | BlockNotFound>
    readonly remove: (
      user: CurrentUserShape,
      id: VideoIdOrUuid,
      presented: Presented
    ) => Effect.Effect<void, AccessRefused | BlockNotFound>
  }
>()("@kinora/node/video/block/VideoBlocks") {
  static readonly layer = Layer.effect(
    VideoBlocks,
    Effect.gen(function* () {
      const access = yield* VideoAccess
      const rows = yield* VideoBlockRows
      const audit = yield* AuditTrail

      const around = (user: CurrentUserShape, action: string, { id, uuid }: VideoFacts) =>
        audit.around(user, {
          domain: "video-block",
          action,
          target: { videoId: id, uuid },
          values: Effect.map(rows.values(id), Option.getOrUndefined)
        })

      return VideoBlocks.of({
        add: Effect.fn("VideoBlocks.add")(function* (user, id, block, presented) {
          const { internalNote = null, reason = null, unfederate = false } = block
          const video = yield* access.open(id, presented)
          if (video.remote && unfederate) {
            return yield* new BlockRefused({ reason: "A video of another instance cannot be unfederated here" })
          }
          const added = yield* around(user, "create", video)(rows.add(video.id, { reason, internalNote, unfederate }))
          if (!added) return yield* new BlockRefused({ reason: "This video is blocked already" })
        }),
        update: Effect.fn("VideoBlocks.update")(function* (user, id, notes, presented) {
          const video = yield* access.open(id, presented)
          const updated = yield* around(user, "update", video)(rows.update(video.id, notes))
          if (!updated) return yield* new BlockNotFound()
        }),
        remove: Effect.fn("VideoBlocks.remove")(function* (user, id, presented) {
          const video = yield* access.open(id, presented)
          const removed = yield* around(user, "delete", video)(rows.remove(video.id))
          if (!removed) return yield* new BlockNotFound()
        })
      })
    })
  )
}
