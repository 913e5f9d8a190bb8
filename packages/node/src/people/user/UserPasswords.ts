import { UserNotFound } from "@kinora/domain/errors/ActorErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { UserRows } from "@kinora/storage/people/user/UserRows"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "@kinora/storage/platform/database/Database"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { AccessTokens } from "../session/AccessTokens.ts"
import { Passwords } from "../session/Passwords.ts"

/** Password changes, whoever requested them. */
export class UserPasswords extends Context.Service<
  UserPasswords,
  {
    /**
     * Sets the password, ends every session of the user and every unused link that sets a password, and mails the user
     * about the change if mail is configured: all or nothing. Takes part in the caller's transaction.
     */
    readonly set: (userId: number, password: string) => Effect.Effect<void, UserNotFound | DatabaseUnavailable>
    /** The same with a hash made before, for callers whose transaction should not wait for hashing. */
    readonly setHash: (
      userId: number,
      passwordHash: string,
      /** The session that made the change and stays. */
      exceptTokenId?: number
    ) => Effect.Effect<void, UserNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/users/UserPasswords") {
  static readonly layer = Layer.effect(
    UserPasswords,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* UserRows
      const passwords = yield* Passwords
      const mailer = yield* Mailer
      const tokens = yield* AccessTokens

      const setHash = Effect.fn("UserPasswords.setHash")(
        function* (userId: number, passwordHash: string, exceptTokenId?: number) {
          const user = yield* rows.setPassword(userId, passwordHash, exceptTokenId)
          if (Option.isNone(user)) return yield* new UserNotFound()
          yield* tokens.revokeAll(userId, exceptTokenId)
          const { email, username } = user.value
          if (mailer.enabled) yield* mailer.queue({ _tag: "PasswordChanged", to: email, username })
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const set = Effect.fn("UserPasswords.set")(function* (userId: number, password: string) {
        yield* setHash(userId, yield* passwords.hash(password))
      })

      return UserPasswords.of({ set, setHash })
    })
  )
}
