import { RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { LoginRows } from "@kinora/storage/people/session/LoginRows"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { RateLimitStore } from "../../platform/http/RateLimitStore.ts"
import { isTooLong, Passwords } from "./Passwords.ts"

/** Wrong passwords a user may give, and in how many milliseconds: who has a token only must not find it out by trying. */
const wrongPasswords = { max: 10, windowMillis: 300_000 }

/**
 * Asks a user who is logged in for the password once more, before something delicate is changed. Tries are counted for
 * each user, whatever they are for; right ones are taken back.
 */
export class CurrentPassword extends Context.Service<
  CurrentPassword,
  {
    /** Whether this is the user's password now; false when none was given. What a wrong one is answered with differs. */
    readonly check: (
      userId: number,
      password: string | undefined
    ) => Effect.Effect<boolean, RateLimited | DatabaseUnavailable | ServiceUnavailable>
  }
>()("@kinora/node/sessions/CurrentPassword") {
  static readonly layer = Layer.effect(
    CurrentPassword,
    Effect.gen(function* () {
      const rows = yield* LoginRows
      const passwords = yield* Passwords
      const store = yield* RateLimitStore

      const compare = Effect.fnUntraced(function* (userId: number, password: string) {
        return yield* passwords.verify(password, Option.getOrUndefined(yield* rows.passwordHash(userId)))
      })

      const check = Effect.fn("CurrentPassword.check")(function* (userId: number, password: string | undefined) {
        if (password === undefined || password === "" || isTooLong(password)) return false
        const key = `current_password:${userId}`
        const now = yield* Clock.currentTimeMillis
        // Counted before it is compared, so that tries sent at once count too.
        const { resetAt, used } = yield* store.hit(key, wrongPasswords, now)
        if (used > wrongPasswords.max) return yield* RateLimited.until(resetAt, now)
        const takeBack = store.refund(key, wrongPasswords, now)
        // What was not compared told nothing.
        const isRight = yield* Effect.tapError(compare(userId, password), () => takeBack)
        if (isRight) yield* takeBack
        return isRight
      })
      return CurrentPassword.of({ check })
    })
  )
}
