import type { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { VideoDeletion } from "@kinora/storage/video/write/VideoDeletion"
import { Context, Effect, Layer, Option } from "effect"
import type { AccessRefused, Presented } from "./VideoAccess.ts"
import { VideoActs } from "./VideoActs.ts"
import { VideoPermissions } from "./VideoPermissions.ts"

/** Deletes videos for users. */
export class VideoRemoval extends Context.Service<
  VideoRemoval,
  {
    /** Deletes the video with everything that belongs to it. Videos of other instances are not found. */
    readonly remove: (id: VideoIdOrUuid, presented: Presented) => Effect.Effect<void, AccessRefused | Forbidden>
  }
>()("@kinora/node/video/list/VideoRemoval") {
  static readonly layer = Layer.effect(
    VideoRemoval,
    Effect.gen(function* () {
      const permissions = yield* VideoPermissions
      const deletion = yield* VideoDeletion
      const acts = yield* VideoActs
      const remove = Effect.fn("VideoRemoval.remove")(function* (id: VideoIdOrUuid, presented: Presented) {
        const video = yield* permissions.open(id, presented, "remove")
        const { user } = presented
        const deleted = deletion.video(video.id, Option.getOrNull(user)?.accountId)
        const recorded = Option.isNone(user)
          ? deleted
          : acts.change({ user: user.value, video }, { action: "delete" })(deleted)
        if (!(yield* recorded)) return yield* new VideoNotFound()
      })
      return VideoRemoval.of({ remove })
    })
  )
}
