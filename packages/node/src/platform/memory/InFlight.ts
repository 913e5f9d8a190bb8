import { Deferred, Effect, FiberSet, type Scope } from "effect"

/**
 * Runs an effect once for all who ask for the same key while it runs: they get the same result. It goes on when one of them leaves, and
 * ends with the scope.
 */
export const inFlight = Effect.fnUntraced(function* <A, E>(): Effect.fn.Return<
  (key: string, effect: Effect.Effect<A, E>) => Effect.Effect<A, E>,
  never,
  Scope.Scope
> {
  const running = new Map<string, Deferred.Deferred<A, E>>()
  const fork = yield* FiberSet.makeRuntime<never, void, never>()

  return (key, effect) =>
    Effect.suspend(() => {
      const known = running.get(key)
      if (known !== undefined) return Deferred.await(known)
      const made = Deferred.makeUnsafe<A, E>()
      running.set(key, made)
      fork(
        effect.pipe(
          Effect.onExit((exit) =>
            Effect.sync(() => {
              running.delete(key)
              Deferred.doneUnsafe(made, exit)
            })
          ),
          Effect.exit,
          Effect.asVoid
        )
      )
      return Deferred.await(made)
    })
})
