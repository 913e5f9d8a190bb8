import { BlockNotFound, BlockRefused } from "@kinora/domain/errors/BlockErrors"
import type { NewVideoBlock, VideoBlockUpdate } from "@kinora/domain/requests/BlockRequests"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { VideoBlockRows } from "@kinora/storage/video/block/VideoBlockRows"
import { Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { presented } from "../list/Presented.ts"
import { type AccessRefused, VideoAccess } from "../list/VideoAccess.ts"

/** Blocks videos. The right to do so is checked by the endpoints. */
export class VideoBlocks extends Context.Service<
  VideoBlocks,
  {
    /** Refused for a video that is blocked, and where one of another instance is to be taken from others. */
    readonly add: (
      user: CurrentUserShape,
      id: VideoIdOrUuid,
      block: NewVideoBlock,
      request: HttpServerRequest
    ) => Effect.Effect<void, AccessRefused | BlockRefused>
    readonly update: (
      user: CurrentUserShape,
      id: VideoIdOrUuid,
      notes: VideoBlockUpdate,
      request: HttpServerRequest
    ) => Effect.Effect<void, AccessRefused | BlockNotFound>
    readonly remove: (
      user: CurrentUserShape,
      id: VideoIdOrUuid,
      request: HttpServerRequest
    ) => Effect.Effect<void, AccessRefused | BlockNotFound>
  }
>()("@kinora/node/video/block/VideoBlocks") {
  static readonly layer = Layer.effect(
    VideoBlocks,
    Effect.gen(function* () {
      const access = yield* VideoAccess
      const rows = yield* VideoBlockRows

      const open = (user: CurrentUserShape, id: VideoIdOrUuid, request: HttpServerRequest) =>
        access.open(id, presented(request, Option.some(user)))

      return VideoBlocks.of({
        add: Effect.fn("VideoBlocks.add")(function* (user, id, block, request) {
          const { internalNote = null, reason = null, unfederate = false } = block
          const video = yield* open(user, id, request)
          if (video.remote && unfederate) {
            return yield* new BlockRefused({ reason: "A video of another instance cannot be unfederated here" })
          }
          const added = yield* rows.add(video.id, { reason, internalNote, unfederate })
          if (!added) return yield* new BlockRefused({ reason: "This video is blocked already" })
        }),
        update: Effect.fn("VideoBlocks.update")(function* (user, id, notes, request) {
          const video = yield* open(user, id, request)
          if (!(yield* rows.update(video.id, notes))) return yield* new BlockNotFound()
        }),
        remove: Effect.fn("VideoBlocks.remove")(function* (user, id, request) {
          const video = yield* open(user, id, request)
          if (!(yield* rows.remove(video.id))) return yield* new BlockNotFound()
        })
      })
    })
  )
}
