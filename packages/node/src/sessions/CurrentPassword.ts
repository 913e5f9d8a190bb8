import type { DatabaseUnavailable, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { LoginRows } from "@kinora/storage/sessions/LoginRows"
import { Context, Effect, Layer, Option } from "effect"
import { isTooLong, Passwords } from "./Passwords.ts"

/** Asks a user who is logged in for the password once more, before something delicate is changed. */
export class CurrentPassword extends Context.Service<
  CurrentPassword,
  {
    /** Whether this is the user's password now; false when none was given. What a wrong one is answered with differs. */
    readonly check: (
      userId: number,
      password: string | undefined
    ) => Effect.Effect<boolean, DatabaseUnavailable | ServiceUnavailable>
  }
>()("@kinora/node/sessions/CurrentPassword") {
  static readonly layer = Layer.effect(
    CurrentPassword,
    Effect.gen(function* () {
      const rows = yield* LoginRows
      const passwords = yield* Passwords
      const check = Effect.fn("CurrentPassword.check")(function* (userId: number, password: string | undefined) {
        if (password === undefined || password === "" || isTooLong(password)) return false
        return yield* passwords.verify(password, Option.getOrUndefined(yield* rows.passwordHash(userId)))
      })
      return CurrentPassword.of({ check })
    })
  )
}
