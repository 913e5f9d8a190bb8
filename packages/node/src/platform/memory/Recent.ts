import { Clock, Duration, Effect, Semaphore } from "effect"

/**
 * Whether a value kept for `lifetime` until `until` is still valid (all in milliseconds). It is not if the clock was
 * set back: otherwise it would stay valid for as long as the clock is behind.
 */
export const isRecent = (until: number, now: number, lifetime: number): boolean =>
  until > now && until - now <= lifetime

/**
 * The value of an effect, computed again when it is older than `age`. Failures are not cached. Concurrent callers wait
 * for the same computation.
 */
export const recent = <A, E>(effect: Effect.Effect<A, E>, age: Duration.Input): Effect.Effect<A, E> => {
  const lifetime = Duration.toMillis(Duration.fromInputUnsafe(age))
  const one = Semaphore.makeUnsafe(1)
  let kept: { readonly value: A; readonly until: number } | undefined
  const compute = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (kept !== undefined && isRecent(kept.until, now, lifetime)) return kept.value
    const value = yield* effect
    kept = { value, until: now + lifetime }
    return value
  })
  return Effect.flatMap(Clock.currentTimeMillis, (now) =>
    kept !== undefined && isRecent(kept.until, now, lifetime) ? Effect.succeed(kept.value) : one.withPermits(1)(compute)
  )
}
