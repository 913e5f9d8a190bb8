import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { endImportsOf } from "../import/EndImports.ts"
import { removePicturesOf, removeVideosOf } from "../../people/account/OwnedVideos.ts"

/** Comments per statement: deleting all comments of a user could exceed the time limit of one statement. */
const batch = 500

/** Deletes users with all their data. */
export class UserRemoval extends Context.Service<
  UserRemoval,
  {
    /**
     * Deletes a user in one transaction: uploads, videos, images, channels, account, sessions, links and the
     * registration the user came from. Other instances get one activity for the deleted account. Objects are queued for
     * removal. Files of unfinished uploads become orphans, which the upload sweeper removes. False if there is no such
     * user.
     */
    readonly remove: (userId: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/users/UserRemoval") {
  static readonly layer = Layer.effect(
    UserRemoval,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      /** Deletes the comments of an account on videos of others. Its own videos are already deleted. */
      const removeCommentsOf = Effect.fnUntraced(function* (accountId: number) {
        let removed = batch
        while (removed === batch) {
          const rows = yield* sql<{ removed: number }>`
            select remove_comments(array(
              select id from video_comment where account_id = ${accountId} order by video_id, id desc limit ${batch}
            ), true) as removed`
          removed = rows[0]!.removed
        }
      })

      // Locks are taken in the order in which an upload becomes a video: user, upload, account, channel.
      const remove = Effect.fn("UserRemoval.remove")(
        function* (userId: number) {
          const users = yield* sql`select id from app_user where id = ${userId} for update`
          if (users.length === 0) return false
          yield* sql`delete from upload_session where user_id = ${userId} or payer_id = ${userId}`
          const accounts = yield* sql<{ id: number }>`select id from account where user_id = ${userId} for update`
          for (const { id } of accounts) {
            // Once, before anything is deleted: otherwise other instances would get an activity for each video and
            // comment.
            yield* sql`select mark_account_departure(${id})`
            yield* removeVideosOf(sql, { accountId: id })
            yield* removePicturesOf(sql, { accountId: id })
            yield* removeCommentsOf(id)
          }
          yield* endImportsOf(sql, userId)
          // It contains what the user wrote about themselves.
          yield* sql`delete from user_registration where user_id = ${userId}`
          yield* sql`delete from app_user where id = ${userId}`
          return true
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      return UserRemoval.of({ remove })
    })
  )
}
