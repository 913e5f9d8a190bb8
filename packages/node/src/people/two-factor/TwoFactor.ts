import { InvalidTwoFactor, MissingTwoFactor } from "@kinora/domain/errors/AuthErrors"
import { RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { RecoveryCodeRows } from "@kinora/storage/people/two-factor/RecoveryCodeRows"
import { TwoFactorRows } from "@kinora/storage/people/two-factor/TwoFactorRows"
import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RateLimitStore } from "../../platform/http/RateLimitStore.ts"
import { recoveryDigest } from "./RecoveryCode.ts"
import { matchingStep } from "./Totp.ts"
import { TwoFactorSecrets } from "./TwoFactorSecrets.ts"

/**
 * One-time codes of users with a second factor (RFC 6238; the present step and its two neighbours). A code is accepted
 * only once, even if two nodes check it at the same time; so is each recovery code, which stands in for them. Wrong codes are counted per user (`rates_limit.two_factor`):
 * past the limit every code is refused until the window ends.
 */
export class TwoFactor extends Context.Service<
  TwoFactor,
  {
    /** Succeeds at once for users without a second factor. */
    readonly verify: (
      userId: number,
      code: string | undefined
    ) => Effect.Effect<void, MissingTwoFactor | InvalidTwoFactor | RateLimited | DatabaseUnavailable>
    /** The time step of a code, for a secret that is not in use yet. None: the code is wrong. Counts like `verify`. */
    readonly stepOf: (
      userId: number,
      sealed: string,
      code: string
    ) => Effect.Effect<Option.Option<number>, RateLimited | DatabaseUnavailable>
  }
>()("@kinora/node/twofactor/TwoFactor") {
  static readonly layer = Layer.effect(
    TwoFactor,
    Effect.gen(function* () {
      const { two_factor } = (yield* KinoraConfig).rates_limit
      const limit = { max: two_factor.max, windowMillis: Duration.toMillis(two_factor.window), exact: true }
      const rows = yield* TwoFactorRows
      const recovery = yield* RecoveryCodeRows
      const secrets = yield* TwoFactorSecrets
      const store = yield* RateLimitStore

      /** Counted before the code is compared, so that parallel requests get no more tries. */
      const attempt = Effect.fnUntraced(function* <E>(
        userId: number,
        accepted: (now: number) => Effect.Effect<Option.Option<number>, E>
      ) {
        const key = `two_factor:${userId}`
        const now = yield* Clock.currentTimeMillis
        const count = yield* store.hit(key, limit, now)
        if (count.used > limit.max) {
          if (count.used === limit.max + 1) {
            yield* Effect.logWarning(
              `Too many wrong one-time codes of user ${userId}: no more are looked at for a while`
            )
          }
          return yield* RateLimited.until(count.resetAt, now)
        }
        const step = yield* accepted(now)
        if (Option.isSome(step)) yield* store.refund(key, limit, now)
        return step
      })

      const step = Effect.fnUntraced(function* (sealed: string, code: string, now: number) {
        const secret = yield* secrets.open(sealed)
        return Option.flatMapNullishOr(secret, (bytes) => matchingStep(bytes, code, now))
      })

      const recovered = Effect.fnUntraced(function* (userId: number, digest: Uint8Array) {
        if (!(yield* recovery.use(userId, digest))) return Option.none<number>()
        const left = yield* recovery.count(userId)
        yield* Effect.logInfo(`User ${userId} logged in with a recovery code. Codes left: ${left}`)
        return Option.some(left)
      })

      const verify = Effect.fn("TwoFactor.verify")(function* (userId: number, code: string | undefined) {
        const user = yield* rows.of(userId)
        const sealed = Option.getOrUndefined(user)?.sealed ?? null
        if (sealed === null) return
        if (code === undefined || code === "") return yield* new MissingTwoFactor()
        const accepted = yield* attempt(
          userId,
          Effect.fnUntraced(function* (now) {
            const digest = recoveryDigest(code)
            if (digest !== undefined) return yield* recovered(userId, digest)
            const found = yield* step(sealed, code, now)
            return Option.isSome(found) && (yield* rows.accept(userId, sealed, found.value)) ? found : Option.none()
          })
        )
        if (Option.isNone(accepted)) return yield* new InvalidTwoFactor()
      })

      const stepOf = Effect.fn("TwoFactor.stepOf")(function* (userId: number, sealed: string, code: string) {
        return yield* attempt(userId, (now) => step(sealed, code, now))
      })

      return TwoFactor.of({ verify, stepOf })
    })
  )
}
