import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

export type ReviewOutcome = "approved" | "seen already" | "missing"

interface Reviewed {
  readonly videoId: number
  readonly originId: number | null
  readonly held: boolean
}

/** Lets everybody see a comment, in the caller's transaction: below videos of ours by a review, elsewhere by word of the video's instance. */
export const approveComment = Effect.fnUntraced(function* (
  sql: SqlClient,
  commentId: number
): Effect.fn.Return<ReviewOutcome, SqlError> {
  yield* sql`select 1 from video where id = (select video_id from video_comment where id = ${commentId}) for no key update`
  const [comment] = yield* sql<Reviewed>`
    select video_id as "videoId", origin_comment_id as "originId", held_for_review as held
    from video_comment where id = ${commentId} and deleted_at is null`
  if (comment === undefined) return "missing"
  if (!comment.held) return "seen already"
  yield* sql`update video_comment set held_for_review = false, updated_at = now() where id = ${commentId}`
  yield* sql`update video_comment set replies = replies + 1 where id = ${comment.originId}::integer`
  yield* sql`select settle_comment(${commentId}::integer)`
  yield* sql`update video set comments = comments + 1 where id = ${comment.videoId}`
  return "approved"
})
