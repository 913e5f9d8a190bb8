import { clientKey } from "@kinora/domain/network/ClientKey"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RateLimitStore } from "../../platform/http/RateLimitStore.ts"

/** Result of counting a login attempt. */
export interface LoginAttempt {
  /** Every password is refused until the window ends. */
  readonly refused: boolean
  /** Whether the user is locked out if this attempt fails. */
  readonly last: boolean
  /** Uncounts the attempt: the password was right, or was not compared. */
  readonly takeBack: Effect.Effect<void>
}

const free: LoginAttempt = { refused: false, last: false, takeBack: Effect.void }

/**
 * Locks logins out after too many wrong passwords, per user or per address (`rates_limit.login_lockout`). A user is
 * locked out only from addresses that failed before: from any other address the right password works. An attempt is
 * counted before its password is compared and uncounted if it was right, so that parallel requests get no more tries.
 * Nodes share the counts if they share Redis.
 */
export class LoginLockout extends Context.Service<
  LoginLockout,
  {
    /** `subject`: the user the password belongs to, undefined for an unknown name. `ip`: the client's address. */
    readonly attempt: (subject: string | undefined, ip: string | null) => Effect.Effect<LoginAttempt>
    /** A lockout ends after this many whole minutes at the latest. */
    readonly minutes: number
  }
>()("@kinora/node/sessions/LoginLockout") {
  static readonly layer = Layer.effect(
    LoginLockout,
    Effect.gen(function* () {
      const { enabled, max, max_per_ip, window } = (yield* KinoraConfig).rates_limit.login_lockout
      const store = yield* RateLimitStore
      const windowMillis = Duration.toMillis(window)
      const minutes = Math.ceil(Duration.toMinutes(window))
      if (!enabled) return LoginLockout.of({ attempt: () => Effect.succeed(free), minutes })

      const ofSubject = { max, windowMillis, exact: true }
      const ofAddress = { max: max_per_ip, windowMillis, exact: true }

      const attempt = Effect.fnUntraced(function* (subject: string | undefined, ip: string | null) {
        const now = yield* Clock.currentTimeMillis
        const counts: Array<{ readonly key: string; readonly limit: typeof ofSubject }> = []
        const hit = Effect.fnUntraced(function* (key: string, limit: typeof ofSubject) {
          counts.push({ key, limit })
          return (yield* store.hit(key, limit, now)).used
        })
        const client = ip === null ? "unknown" : clientKey(ip)
        const byAddress = ip === null ? 0 : yield* hit(`login_lockout:ip:${client}`, ofAddress)
        const bySubject = subject === undefined ? 0 : yield* hit(`login_lockout:${subject}`, ofSubject)
        const byBoth = subject === undefined ? 0 : yield* hit(`login_lockout:${subject}@${client}`, ofSubject)
        // An address that has not failed before gets one try, so that others cannot lock the owner out.
        const lockedOut = bySubject > max && byBoth > 1
        const takeBack = Effect.forEach(counts, ({ key, limit }) => store.refund(key, limit, now), { discard: true })
        return { refused: lockedOut || byAddress > max_per_ip, last: bySubject === max, takeBack }
      })

      return LoginLockout.of({ attempt, minutes })
    })
  )
}
