import { UserRole } from "@kinora/domain/enums/UserRole"
import { RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { Clock, Duration, Effect } from "effect"
import { RateLimitStore } from "../../platform/http/RateLimitStore.ts"

/** Does something of a user, or refuses it. */
export type UserPace = <A, E, R>(
  user: CurrentUserShape,
  write: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | RateLimited, R>

/**
 * Holds what a user does of one kind to a number in a window; moderators do as much as they like. What is refused is not
 * counted. What its client cuts off is: it may be done by now.
 */
export const makeUserPace = Effect.fnUntraced(function* (
  kind: string,
  { max, window }: { readonly max: number; readonly window: Duration.Duration }
) {
  const limit = { max, windowMillis: Duration.toMillis(window) }
  const store = yield* RateLimitStore
  const hold: UserPace = Effect.fnUntraced(function* (user, write) {
    if (user.role !== UserRole.user) return yield* write
    const key = `${kind}:${user.id}`
    const now = yield* Clock.currentTimeMillis
    const count = yield* store.hit(key, limit, now)
    if (count.used > limit.max) return yield* RateLimited.until(count.resetAt, now)
    return yield* Effect.tapError(write, () => store.refund(key, limit, now))
  })
  return hold
})
