import { UserNotFound } from "@kinora/domain/errors/ActorErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { withDatabaseErrors } from "@kinora/storage/platform/database/Database"
import { UserRemoval } from "@kinora/storage/video/removal/UserRemoval"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AccessTokens } from "../session/AccessTokens.ts"

/** Deletion of a user, requested by an administrator or by the user. */
export class UserDeletion extends Context.Service<
  UserDeletion,
  {
    /**
     * Deletes a user with account, channels, videos, images, uploads and sessions, all or nothing. Takes part in the
     * caller's transaction. The caller checks permission.
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
            // The sessions were deleted with the user. This node forgets them without waiting for the notification.
            yield* tokens.revokeAll(userId)
          },
          sql.withTransaction,
          withDatabaseErrors
        )
      })
    })
  )
}
