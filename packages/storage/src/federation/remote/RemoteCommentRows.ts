import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { inTransaction } from "../../platform/database/InTransaction.ts"
import { approveComment } from "../../social/comment/CommentReviews.ts"
import { receivedActivities } from "../outbox/ReceivedActivities.ts"
import { isMuted } from "./Muted.ts"
import type { AddedComment, NewRemoteComment } from "./NewRemoteComment.ts"
import { remoteCommentWrites, standsInThread } from "./RemoteCommentWrites.ts"

export interface KeptComment {
  readonly id: number
  readonly url: string
  readonly videoId: number
  readonly accountId: number | null
  readonly accountUrl: string | null
  readonly held: boolean
  readonly deleted: boolean
}

/** Comments by their addresses; those of other instances are written here, in the caller's transaction. */
export class RemoteCommentRows extends Context.Service<
  RemoteCommentRows,
  {
    /** Ours too. */
    readonly byUrl: (url: string) => Effect.Effect<KeptComment | undefined, DatabaseUnavailable>
    readonly byUrls: (urls: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<KeptComment>, DatabaseUnavailable>
    /** It was deleted, here or by its author, and is not to come again. */
    readonly isGone: (url: string) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Those of these addresses that no comment has or had, in their order. */
    readonly unknown: (urls: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
    /** Writes comments in their order, one as many; answers what became of each. */
    readonly addAll: (
      comments: ReadonlyArray<NewRemoteComment>
    ) => Effect.Effect<ReadonlyArray<AddedComment>, DatabaseUnavailable>
    /** Replaces the text of one that is not deleted, and whose author is not muted. */
    readonly edit: (commentId: number, text: string, updated: string | null) => Effect.Effect<void, DatabaseUnavailable>
    /** Shows one that was held. */
    readonly approve: (commentId: number) => Effect.Effect<void, DatabaseUnavailable>
    /** Sends on one below a video of ours that comes again, with the approval of ours at this address; once. */
    readonly forward: (commentId: number, approvalUrl: string) => Effect.Effect<void, DatabaseUnavailable>
    /** Deletes one of another instance; false when there is none. */
    readonly remove: (url: string) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/remote/RemoteCommentRows") {
  static readonly layer = Layer.effect(
    RemoteCommentRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const isOfUse = (comment: string) => sql.literal(standsInThread(comment))

      const byUrls = (urls: ReadonlyArray<string>) =>
        withDatabaseErrors(sql<KeptComment>`
          select c.id, c.url, c.video_id as "videoId", c.account_id as "accountId", a.url as "accountUrl",
            c.held_for_review as held, c.deleted_at is not null as deleted
          from video_comment c left join account o on o.id = c.account_id left join actor a on a.id = o.actor_id
          where c.url = any(${urls}::text[]) and ${isOfUse("c")}`)

      const byUrl = (url: string) => Effect.map(byUrls([url]), (rows) => rows[0])

      const isGone = Effect.fnUntraced(function* (url: string) {
        const rows = yield* sql`select 1 from comment_gone where url = ${url}`
        return rows.length > 0
      }, withDatabaseErrors)

      const unknown = Effect.fnUntraced(function* (urls: ReadonlyArray<string>) {
        const rows = yield* sql<{ url: string }>`
          select u.url from unnest(${urls}::text[]) with ordinality u (url, n)
          where not exists (select from video_comment c where c.url = u.url)
            and not exists (select from comment_gone g where g.url = u.url)
          order by u.n`
        return rows.map(({ url }) => url)
      }, withDatabaseErrors)

      const write = remoteCommentWrites(sql)
      const received = receivedActivities(sql)

      const addAll = (comments: ReadonlyArray<NewRemoteComment>) =>
        withDatabaseErrors(inTransaction(sql)(write(comments)))

      const edit = Effect.fn("RemoteCommentRows.edit")(
        function* (commentId: number, text: string, updated: string | null) {
          yield* sql`
            select 1 from video where id = (select video_id from video_comment where id = ${commentId}) for no key update`
          const changed = yield* sql`
            update video_comment c set text = ${text},
              updated_at = greatest(c.updated_at, least(coalesce(${updated}::text::timestamptz, now()), now()))
            from video v
            where c.id = ${commentId} and v.id = c.video_id and c.deleted_at is null and c.text <> ${text}
              and not ${isMuted(sql, "c.account_id", "v.account_id")}
            returning c.id`
          if (changed.length > 0) yield* received.updated(commentId)
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const approve = (commentId: number) =>
        withDatabaseErrors(Effect.asVoid(inTransaction(sql)(approveComment(sql, commentId))))

      const forward = Effect.fn("RemoteCommentRows.forward")(
        function* (commentId: number, approvalUrl: string) {
          const approved = yield* sql`
            update video_comment c set reply_approval_url = ${approvalUrl}::text from video v
            where c.id = ${commentId} and v.id = c.video_id and not v.remote and c.server_id is not null
              and c.reply_approval_url is null and not c.held_for_review and c.deleted_at is null
              and v.url || '/comments/' || c.id || '/approve-reply' = ${approvalUrl}::text
            returning c.id`
          if (approved.length > 0) yield* received.repeated(commentId)
        },
        inTransaction(sql),
        withDatabaseErrors
      )

      const remove = Effect.fn("RemoteCommentRows.remove")(
        function* (url: string) {
          const [comment] = yield* sql<{ id: number }>`
            select c.id from video_comment c join account o on o.id = c.account_id join actor a on a.id = o.actor_id
            where c.url = ${url} and a.server_id is not null`
          if (comment === undefined) return false
          const rows = yield* sql<{ removed: number }>`select remove_comments(array[${comment.id}::integer]) as removed`
          yield* received.deleted(comment.id)
          return rows[0]!.removed > 0
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      return RemoteCommentRows.of({ byUrl, byUrls, isGone, unknown, addAll, edit, approve, forward, remove })
    })
  )
}
