import { constraints } from "@kinora/domain/enums/Constraints"
import { CommentIsNoThread, CommentNotAssociatedToVideo, CommentNotFound } from "@kinora/domain/errors/CommentErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import {
  type ReplyListQuery,
  type ThreadListQuery,
  type TreeBounds,
  treeBudget
} from "@kinora/domain/requests/CommentRequests"
import type { CommentReplies, CommentThreads as Threads, CommentTree } from "@kinora/domain/wire/Comment"
import type { Json } from "@kinora/domain/wire/Json"
import { CommentRows } from "@kinora/storage/social/comment/CommentRows"
import { CommentThreads } from "@kinora/storage/social/comment/CommentThreads"
import { CommentTrees } from "@kinora/storage/social/comment/CommentTrees"
import { Context, Effect, Layer, Option } from "effect"
import { type AccessRefused, type Presented, VideoAccess } from "../../video/list/VideoAccess.ts"
import { namedBy } from "../../video/list/VideoVisibility.ts"
import { readerFor } from "./CommentRights.ts"

type Absent = CommentNotFound | CommentNotAssociatedToVideo

const withinBudget = (count: number, bounds: TreeBounds) =>
  treeBudget(count, bounds) <= constraints.comment.tree.budget
    ? Effect.void
    : Effect.fail(
        InvalidParameters.one("maxDepth", "Together with repliesPerLevel, this asks for too many comments", "query")
      )

/** Comments of videos for those who may see the video, as JSON text. What waits for review is there for those it concerns. */
export class CommentReading extends Context.Service<
  CommentReading,
  {
    /** A page of the threads of a video (contract: CommentThreadResponse). */
    readonly threads: (
      id: VideoIdOrUuid,
      page: ThreadListQuery,
      presented: Presented
    ) => Effect.Effect<Json<Threads>, AccessRefused>
    /** A thread as a tree (contract: VideoCommentThreadTree). */
    readonly thread: (
      id: VideoIdOrUuid,
      threadId: number,
      bounds: TreeBounds,
      presented: Presented
    ) => Effect.Effect<Json<CommentTree>, AccessRefused | InvalidParameters | CommentIsNoThread | Absent>
    /** A page of the replies to a comment, each as a tree. */
    readonly replies: (
      id: VideoIdOrUuid,
      commentId: number,
      page: ReplyListQuery,
      presented: Presented
    ) => Effect.Effect<Json<CommentReplies>, AccessRefused | InvalidParameters | Absent>
  }
>()("@kinora/node/social/comment/CommentReading") {
  static readonly layer = Layer.effect(
    CommentReading,
    Effect.gen(function* () {
      const access = yield* VideoAccess
      const rows = yield* CommentRows
      const pages = yield* CommentThreads
      const trees = yield* CommentTrees

      /** The video and who reads below it. */
      const reading = Effect.fnUntraced(function* (id: VideoIdOrUuid, presented: Presented) {
        const video = yield* access.open(id, presented)
        return { video, reader: readerFor(video, presented.user) }
      })

      /** Why there is nothing to read at a comment. */
      const absent = Effect.fnUntraced(function* (videoId: number, commentId: number) {
        const comment = yield* rows.facts(commentId)
        if (Option.isNone(comment)) return yield* new CommentNotFound()
        if (comment.value.videoId !== videoId) return yield* new CommentNotAssociatedToVideo()
        return yield* new CommentNotFound()
      })

      const isReply = Effect.fnUntraced(function* (videoId: number, commentId: number) {
        const comment = yield* rows.facts(commentId)
        return (
          Option.isSome(comment) &&
          comment.value.videoId === videoId &&
          comment.value.inReplyToCommentId !== null &&
          !comment.value.heldForReview
        )
      })

      return CommentReading.of({
        threads: Effect.fnUntraced(function* (id, page, presented) {
          if (Option.isSome(presented.user)) {
            const ready = yield* pages.ready(id, page, presented.user.value.accountId)
            if (Option.isSome(ready)) {
              yield* access.check(ready.value, presented, namedBy(id))
              return ready.value.body
            }
          }
          // For everybody one statement does it; what a reader may see depends on the video.
          const reader = Option.isNone(presented.user) ? undefined : (yield* reading(id, presented)).reader
          const found = yield* pages.list(id, page, reader)
          if (Option.isNone(found)) return yield* new VideoNotFound()
          if (reader === undefined) yield* access.check(found.value, presented, namedBy(id))
          return found.value.body
        }),
        thread: Effect.fnUntraced(function* (id, threadId, bounds, presented) {
          yield* withinBudget(bounds.repliesPerLevel, bounds)
          const { reader, video } = yield* reading(id, presented)
          const tree = yield* trees.thread(video.id, threadId, bounds, reader)
          if (Option.isSome(tree)) return tree.value
          if (yield* isReply(video.id, threadId)) return yield* new CommentIsNoThread()
          return yield* absent(video.id, threadId)
        }),
        replies: Effect.fnUntraced(function* (id, commentId, page, presented) {
          yield* withinBudget(page.count, page)
          const { reader, video } = yield* reading(id, presented)
          const replies = yield* trees.replies(video.id, commentId, page, reader)
          return Option.isSome(replies) ? replies.value : yield* absent(video.id, commentId)
        })
      })
    })
  )
}
