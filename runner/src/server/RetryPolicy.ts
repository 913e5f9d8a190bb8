import { Duration, Effect, Fiber, Schedule } from "effect"

/** Longer and longer, up to half a minute, each a bit different from runner to runner. */
export const backoff = Schedule.jittered(
  Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("30 seconds")])
)

/** How long a server may be away without the work for it being given up. */
const longestAway = Duration.hours(1)

/** Tries again while the server cannot be reached: it is restarted, or the network is away. */
export const withRetries = <A, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E, R>,
  longest: Duration.Input = longestAway
): Effect.Effect<A, E, R> =>
  Effect.retry(effect, {
    while: ({ _tag }) => _tag === "ServerUnreachable",
    schedule: Schedule.max([backoff, Schedule.during(longest)])
  })

/** Runs to its end, or its own time limits, where the fiber around it cannot be interrupted: those limits need one that can. */
export const uninterrupted = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkChild(effect), Fiber.join)
