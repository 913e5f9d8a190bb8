import { Duration, Effect, Fiber, Schedule } from "effect"

/** Growing delays up to half a minute, with random variation between runners. */
export const backoff = Schedule.jittered(
  Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("30 seconds")])
)

/** How long a server may be unreachable before its work is dropped. */
const longestAway = Duration.hours(1)

/** Retries while the server cannot be reached, because of a restart or a network failure. */
export const withRetries = <A, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E, R>,
  longest: Duration.Input = longestAway
): Effect.Effect<A, E, R> =>
  Effect.retry(effect, {
    while: ({ _tag }) => _tag === "ServerUnreachable",
    schedule: Schedule.max([backoff, Schedule.during(longest)])
  })

/**
 * Runs to its end or its own time limits, even if the surrounding fiber is uninterruptible: those limits need an
 * interruptible one.
 */
export const uninterrupted = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkChild(effect), Fiber.join)
