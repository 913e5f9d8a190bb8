import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { endImportsOf } from "../import/EndImports.ts"
import { removePicturesOf, removeVideosOf } from "../../people/account/OwnedVideos.ts"

/** Comments one statement takes: somebody who writes much does so for longer than one statement may last. */
const batch = 500

/** Takes users out with everything that is theirs. */
export class UserRemoval extends Context.Service<
  UserRemoval,
  {
    /**
     * Deletes a user in one transaction: uploads, videos, pictures, channels, account, sessions, links and the
     * registration the user came from. Other instances are told once that the account is gone. Objects are queued for removal; files of unfinished uploads are orphans then,
     * which the upload sweeper removes. False when there is no such user.
     */
    readonly remove: (userId: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/users/UserRemoval") {
  static readonly layer = Layer.effect(
    UserRemoval,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      /** Deletes what an account said: below videos of others, since its own are gone by then. */
      const removeCommentsOf = Effect.fnUntraced(function* (accountId: number) {
        let removed = batch
        while (removed === batch) {
          const rows = yield* sql<{ removed: number }>`
            select remove_comments(array(
              select id from video_comment where account_id = ${accountId} order by video_id, id desc limit ${batch}
            )) as removed`
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
            // Once, before anything of theirs goes: else others would be told of each video and each comment.
            yield* sql`select say_goodbye(${id})`
            yield* removeVideosOf(sql, { accountId: id })
            yield* removePicturesOf(sql, { accountId: id })
            yield* removeCommentsOf(id)
          }
          yield* endImportsOf(sql, userId)
          // It holds what the user told about themselves.
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
