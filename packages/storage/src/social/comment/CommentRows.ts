import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoComment } from "@kinora/domain/wire/Comment"
import type { Json } from "@kinora/domain/wire/Json"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { inTransaction } from "../../platform/database/InTransaction.ts"
import {
  authorColumn,
  authorTables,
  type AuthoredRow,
  commentColumns,
  commentTexts,
  repliesOf,
  threadColumns,
  type ThreadColumns
} from "./CommentJson.ts"
import { approveComment, type ReviewOutcome } from "./CommentReviews.ts"
import { commentWrites, type NewComment, type Written } from "./CommentWrites.ts"
import { makeInstanceBlocker } from "./InstanceBlocker.ts"

/** What decides what may be done with a comment. */
export interface CommentFacts {
  readonly id: number
  readonly videoId: number
  /** Null once it was deleted. */
  readonly accountId: number | null
  /** The comment this is a reply to; null for the first of a thread. */
  readonly inReplyToCommentId: number | null
  readonly heldForReview: boolean
  readonly deleted: boolean
  /** By somebody the instance or the reader blocks. */
  readonly hidden: boolean
}

/** Which comments of an account go: all, or those below videos of another, with those of channels that one works on. */
export interface CommentsOf {
  readonly accountId: number
  readonly below?: { readonly accountId: number; readonly collaborations: boolean } | undefined
  /** None with a higher id. */
  readonly upTo: number
}

/** Single comments, and changes of them. Each change takes part in the caller's transaction. */
export class CommentRows extends Context.Service<
  CommentRows,
  {
    readonly facts: (
      commentId: number,
      readerId?: number
    ) => Effect.Effect<Option.Option<CommentFacts>, DatabaseUnavailable>
    /** JSON text (contract: VideoComment), as its author sees it. */
    readonly text: (commentId: number) => Effect.Effect<Option.Option<Json<VideoComment>>, DatabaseUnavailable>
    /** What moderators change of a comment. Undefined: there is none. */
    readonly values: (
      commentId: number
    ) => Effect.Effect<Readonly<Record<string, unknown>> | undefined, DatabaseUnavailable>
    /** Writes a comment with its automatic tags; it waits for review where the video or one of these asks for it. */
    readonly add: (comment: NewComment) => Effect.Effect<Written, DatabaseUnavailable>
    readonly approve: (commentId: number) => Effect.Effect<ReviewOutcome, DatabaseUnavailable>
    /** Deletes those that are not deleted yet; answers how many. */
    readonly remove: (commentIds: ReadonlyArray<number>) => Effect.Effect<number, DatabaseUnavailable>
    /** Up to so many comments that are not deleted, those of one video together. */
    readonly of: (which: CommentsOf, count: number) => Effect.Effect<ReadonlyArray<number>, DatabaseUnavailable>
    /** The highest id of a comment; 0: there are none. */
    readonly last: Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/comments/CommentRows") {
  static readonly layer = Layer.effect(
    CommentRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const blockersOf = makeInstanceBlocker(sql)
      const writes = commentWrites(sql)
      const owner = "(select account_id from video where id = c.video_id)"
      const one = `select ${commentColumns}, ${authorColumn}, ${threadColumns("c.replies", repliesOf(owner))}
        from video_comment c ${authorTables} where c.id = $1`

      return CommentRows.of({
        facts: Effect.fnUntraced(function* (commentId, readerId) {
          const blockers = yield* blockersOf(readerId === undefined ? undefined : { accountId: readerId })
          const rows = yield* sql<CommentFacts>`
            select c.id, c.video_id as "videoId", c.account_id as "accountId", c.held_for_review as "heldForReview",
              c.in_reply_to_comment_id as "inReplyToCommentId", c.deleted_at is not null as deleted,
              (exists (select from account_block b
                where b.account_id = any(${blockers}) and b.target_account_id = c.account_id)
              or exists (select from server_block b
                where b.account_id = any(${blockers}) and b.server_id = c.server_id)) as hidden
            from video_comment c where c.id = ${commentId}`
          return Option.fromUndefinedOr(rows[0])
        }, withDatabaseErrors),
        text: Effect.fnUntraced(function* (commentId) {
          const rows = yield* sql.unsafe<AuthoredRow & ThreadColumns>(one, [commentId])
          const [text] = yield* commentTexts(sql, rows)
          return Option.fromUndefinedOr(text)
        }, withDatabaseErrors),
        values: Effect.fnUntraced(function* (commentId) {
          const [row] = yield* sql<Readonly<Record<string, unknown>>>`
            select c.text, a.url as author, c.held_for_review as "heldForReview", c.deleted_at is not null as deleted
            from video_comment c left join account o on o.id = c.account_id left join actor a on a.id = o.actor_id
            where c.id = ${commentId}`
          return row
        }, withDatabaseErrors),
        add: Effect.fn("CommentRows.add")(writes.add, inTransaction(sql), withDatabaseErrors),
        approve: Effect.fn("CommentRows.approve")(
          (commentId) => approveComment(sql, commentId),
          inTransaction(sql),
          withDatabaseErrors
        ),
        remove: Effect.fn("CommentRows.remove")(function* (commentIds) {
          const rows = yield* sql<{ removed: number }>`
            select remove_comments(${commentIds}::integer[]) as removed`
          return rows[0]!.removed
        }, withDatabaseErrors),
        of: Effect.fn("CommentRows.of")(function* ({ accountId, below, upTo }, count) {
          const rows = yield* sql<{ id: number }>`
            select c.id from video_comment c join video v on v.id = c.video_id
            where c.account_id = ${accountId} and c.id <= ${upTo} and c.deleted_at is null ${
              below === undefined
                ? sql``
                : sql`and (v.account_id = ${below.accountId} or (${below.collaborations} and exists (
                    select from video_channel_collaborator k
                    where k.channel_id = v.channel_id and k.account_id = ${below.accountId} and k.state = 2
                  )))`
            }
            order by c.video_id, c.id desc limit ${sql.literal(String(Math.trunc(count)))}`
          return rows.map((row) => row.id)
        }, withDatabaseErrors),
        last: withDatabaseErrors(
          Effect.map(sql<{ id: number }>`select coalesce(max(id), 0) as id from video_comment`, (rows) => rows[0]!.id)
        )
      })
    })
  )
}
