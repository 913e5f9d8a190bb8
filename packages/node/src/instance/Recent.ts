import { Clock, Duration, Effect, Semaphore } from "effect"

/**
 * The value of an effect, computed again when it is older than `age`. Failures are not kept; callers that come while it
 * is computed wait for the same computation.
 */
export const recent = <A, E>(effect: Effect.Effect<A, E>, age: Duration.Input): Effect.Effect<A, E> => {
  const lifetime = Duration.toMillis(Duration.fromInputUnsafe(age))
  const one = Semaphore.makeUnsafe(1)
  let kept: { readonly value: A; readonly until: number } | undefined
  const compute = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (kept !== undefined && kept.until > now) return kept.value
    const value = yield* effect
    kept = { value, until: now + lifetime }
    return value
  })
  return Effect.flatMap(Clock.currentTimeMillis, (now) =>
    kept !== undefined && kept.until > now ? Effect.succeed(kept.value) : one.withPermits(1)(compute)
  )
}
