import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

interface Shown {
  readonly videoId: number
  readonly originId: number | null
}

/**
 * Has a comment that everybody sees wait for review again, in the caller's transaction, which holds the lock of its video. What
 * replies to it stays, out of reach until it is approved.
 */
export const holdComment = Effect.fnUntraced(function* (sql: SqlClient, commentId: number) {
  const [comment] = yield* sql<Shown>`
    update video_comment set held_for_review = true
    where id = ${commentId} and deleted_at is null and not held_for_review
    returning video_id as "videoId", origin_comment_id as "originId"`
  if (comment === undefined) return
  yield* sql`update video_comment set replies = replies - 1 where id = ${comment.originId}::integer`
  yield* sql`select settle_comment(${commentId}::integer)`
  yield* sql`update video set comments = comments - 1 where id = ${comment.videoId}`
})
