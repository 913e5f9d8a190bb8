import { UserNotFound } from "@kinora/domain/errors/ActorErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { withDatabaseErrors } from "@kinora/storage/platform/database/Database"
import { UserRemoval } from "@kinora/storage/video/removal/UserRemoval"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AccessTokens } from "../session/AccessTokens.ts"

/** The end of a user, whoever asked for it: an administrator, or the user. */
export class UserDeletion extends Context.Service<
  UserDeletion,
  {
    /**
     * Deletes a user with account, channels, videos, pictures, uploads and sessions, all or nothing; takes part in the
     * caller's transaction. Who may do this is decided before.
     */
    readonly remove: (userId: number) => Effect.Effect<void, UserNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/users/UserDeletion") {
  static readonly layer = Layer.effect(
    UserDeletion,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* UserRemoval
      const tokens = yield* AccessTokens
      return UserDeletion.of({
        remove: Effect.fn("UserDeletion.remove")(
          function* (userId: number) {
            if (!(yield* rows.remove(userId))) return yield* new UserNotFound()
            // The sessions went with the user: this node forgets them before it is told.
            yield* tokens.revokeAll(userId)
          },
          sql.withTransaction,
          withDatabaseErrors
        )
      })
    })
  )
}
