import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { CommentRows } from "@kinora/storage/social/comment/CommentRows"
import { VideoReads } from "@kinora/storage/video/read/VideoReads"
import { Context, Effect, Layer, Option } from "effect"
import { type AccessRefused, type Presented, VideoAccess } from "../../video/list/VideoAccess.ts"
import { namedBy } from "../../video/list/VideoVisibility.ts"

/** Finds the videos of comments that users delete. */
export class CommentedVideos extends Context.Service<
  CommentedVideos,
  {
    /** The video of a comment. Its author may delete it even where the video is not for them any more. */
    readonly open: (
      user: CurrentUserShape,
      id: VideoIdOrUuid,
      commentId: number,
      presented: Presented
    ) => Effect.Effect<VideoFacts, AccessRefused>
  }
>()("@kinora/node/social/comment/CommentedVideos") {
  static readonly layer = Layer.effect(
    CommentedVideos,
    Effect.gen(function* () {
      const access = yield* VideoAccess
      const reads = yield* VideoReads
      const rows = yield* CommentRows

      const open = Effect.fnUntraced(function* (
        user: CurrentUserShape,
        id: VideoIdOrUuid,
        commentId: number,
        presented: Presented
      ) {
        const video = yield* reads.access(id)
        const comment = yield* rows.facts(commentId)
        // Of this video: by naming any other, its author would learn that it exists.
        const own =
          Option.isSome(comment) && comment.value.videoId === video.id && comment.value.accountId === user.accountId
        return own ? video : yield* access.check(video, presented, namedBy(id))
      })

      return CommentedVideos.of({ open })
    })
  )
}
