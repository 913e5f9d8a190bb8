import { clientKey } from "@kinora/domain/network/ClientKey"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RateLimitStore } from "../../platform/http/RateLimitStore.ts"

/** What counting an attempt came to. */
export interface LoginAttempt {
  /** No password is right any more until the window ends. */
  readonly refused: boolean
  /** If this attempt fails the user is locked out from now on. */
  readonly last: boolean
  /** Takes the attempt back: the password was right, or nobody looked at it. */
  readonly takeBack: Effect.Effect<void>
}

const free: LoginAttempt = { refused: false, last: false, takeBack: Effect.void }

/**
 * Locks logins out after too many wrong passwords, of one user or from one address (`rates_limit.login_lockout`). A user
 * is locked out only where the password was wrong: from an address that has not failed, the right one works. An attempt
 * is counted before its password is looked at, and taken back when it was right: many at once do not get more tries than
 * one by one. Counts are shared by the nodes when they share Redis.
 */
export class LoginLockout extends Context.Service<
  LoginLockout,
  {
    /** `subject`: whose password it is, undefined for names of nobody. `ip`: whence the attempt comes. */
    readonly attempt: (subject: string | undefined, ip: string | null) => Effect.Effect<LoginAttempt>
    /** Whole minutes after which a lockout ends at the latest. */
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

      const ofSubject = { max, windowMillis }
      const ofAddress = { max: max_per_ip, windowMillis }

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
        // An address that has not failed before gets one try: others cannot keep the owner out.
        const lockedOut = bySubject > max && byBoth > 1
        const takeBack = Effect.forEach(counts, ({ key, limit }) => store.refund(key, limit, now), { discard: true })
        return { refused: lockedOut || byAddress > max_per_ip, last: bySubject === max, takeBack }
      })

      return LoginLockout.of({ attempt, minutes })
    })
  )
}
