import { Cause, Effect, Fiber, FiberSet, type Scope } from "effect"

/** Work on its way by key: who asks for what is on its way already gets the same. */
export interface Flights<A, E> {
  /** The work that is on its way for the key, else this, begun now. */
  readonly begin: (key: string, work: Effect.Effect<A, E>) => Fiber.Fiber<A, E>
  /** Waits for it. Who gives up waiting ends nothing for others. */
  readonly join: (key: string, work: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/**
 * Work ends with the scope, and not with whoever asked for it first. It knows nothing of the asker's transaction: it has the
 * surroundings this was made in.
 */
export const makeFlights = <A, E>(): Effect.Effect<Flights<A, E>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fibers = yield* FiberSet.make<A, E>()
    const run = yield* FiberSet.runtime(fibers)<never>()
    const flying = new Map<string, Fiber.Fiber<A, E>>()

    const begin = (key: string, work: Effect.Effect<A, E>): Fiber.Fiber<A, E> => {
      const known = flying.get(key)
      if (known !== undefined) return known
      const fiber = run(
        work.pipe(
          // Nobody may be waiting for it.
          Effect.tapCause((cause) => (Cause.hasDies(cause) ? Effect.logError(`reading ${key}`, cause) : Effect.void)),
          Effect.ensuring(Effect.sync(() => flying.delete(key)))
        )
      )
      if (fiber.pollUnsafe() === undefined) flying.set(key, fiber)
      return fiber
    }

    return { begin, join: (key, work) => Effect.suspend(() => Fiber.join(begin(key, work))) }
  })
