import { RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { LoginRows } from "@kinora/storage/people/session/LoginRows"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { RateLimitStore } from "../../platform/http/RateLimitStore.ts"
import { isTooLong, Passwords } from "./Passwords.ts"

/** Wrong passwords a user may send per window: the holder of a stolen token must not find the password by trying. */
const wrongPasswords = { max: 10, windowMillis: 300_000, exact: true }

/**
 * Asks a logged-in user for the current password before a sensitive change. Tries are counted per user, for all
 * purposes together. Right ones are uncounted.
 */
export class CurrentPassword extends Context.Service<
  CurrentPassword,
  {
    /**
     * Whether this is the user's present password; false if none was given. The caller chooses the answer to a wrong
     * one.
     */
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
        // Counted before it is compared, so that parallel tries count too.
        const { resetAt, used } = yield* store.hit(key, wrongPasswords, now)
        if (used > wrongPasswords.max) return yield* RateLimited.until(resetAt, now)
        const takeBack = store.refund(key, wrongPasswords, now)
        // A password that was not compared is uncounted: it revealed nothing.
        const isRight = yield* Effect.tapError(compare(userId, password), () => takeBack)
        if (isRight) yield* takeBack
        return isRight
      })
      return CurrentPassword.of({ check })
    })
  )
}
