import { UserNotFound } from "@kinora/domain/errors/ActorErrors"
import type { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import type { TokenOwner } from "@kinora/storage/people/user/OneTimeTokens"
import { EmailRows } from "@kinora/storage/people/verification/EmailRows"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Passwords } from "../session/Passwords.ts"
import { UserPasswords } from "./UserPasswords.ts"
import { linkRefused, OneTimeLinks } from "../verification/OneTimeLinks.ts"
import { passwordPurposes } from "../verification/PasswordLinks.ts"

/** Sets a password with a link of `PasswordLinks`. */
export class PasswordReset extends Context.Service<
  PasswordReset,
  {
    /**
     * Uses the token of a link and sets the password, which ends every session of the user, in one transaction. It also
     * verifies the address the link was sent to. A link that was sent to a former address is refused.
     */
    readonly set: (
      userId: number,
      token: string,
      password: string
    ) => Effect.Effect<void, UserNotFound | Forbidden | DatabaseUnavailable | ServiceUnavailable>
  }
>()("@kinora/node/verification/PasswordReset") {
  static readonly layer = Layer.effect(
    PasswordReset,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* EmailRows
      const links = yield* OneTimeLinks
      const passwords = yield* Passwords
      const userPasswords = yield* UserPasswords

      const take = Effect.fnUntraced(function* (token: string, owner: TokenOwner) {
        for (const purpose of passwordPurposes) {
          const email = yield* links.take(token, purpose, owner)
          if (Option.isSome(email)) return email.value
        }
        return yield* linkRefused()
      })

      const redeem = Effect.fnUntraced(
        function* (userId: number, token: string, passwordHash: string) {
          const email = yield* take(token, { _tag: "User", userId })
          if (!(yield* rows.verified(userId, email))) return yield* linkRefused()
          yield* userPasswords.setHash(userId, passwordHash)
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const set = Effect.fn("PasswordReset.set")(function* (userId: number, token: string, password: string) {
        if (Option.isNone(yield* rows.user(userId))) return yield* new UserNotFound()
        // Hashed only for valid links, and before the transaction, so that no connection is held meanwhile.
        if (!(yield* links.isGood(token, passwordPurposes, { _tag: "User", userId }))) return yield* linkRefused()
        yield* redeem(userId, token, yield* passwords.hash(password))
      })

      return PasswordReset.of({ set })
    })
  )
}
