import { Deferred, Effect, type Scope } from "effect"

/**
 * A read that many ask for at once, done once for all that asked before it began: whoever asks while one is on its way waits
 * for the next, so that nobody gets a value from before they asked. The reads run in the given scope.
 */
export const makeFreshRead = <A, E>(read: Effect.Effect<A, E>, scope: Scope.Scope): Effect.Effect<A, E> => {
  let isRunning = false
  let waiting: Deferred.Deferred<A, E> | undefined

  const work = Effect.gen(function* () {
    while (waiting !== undefined) {
      const asked: Deferred.Deferred<A, E> = waiting
      waiting = undefined
      yield* Deferred.into(read, asked)
    }
    // At once after the look: who asks from here on begins anew.
    isRunning = false
  })

  return Effect.suspend(() => {
    waiting ??= Deferred.makeUnsafe<A, E>()
    const mine = Deferred.await(waiting)
    if (isRunning) return mine
    isRunning = true
    return Effect.andThen(Effect.forkIn(work, scope), mine)
  })
}
