import { Clock, Duration, Effect } from "effect"
import { ServerUnreachable } from "./ServerErrors.ts"

/** Reports that a transfer makes progress. */
export type Moved = () => void

/** Fails a transfer without progress for this long. Its total time is not limited. */
export const unlessStalled = <A, E, R>(
  limit: Duration.Duration,
  transfer: (moved: Moved) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | ServerUnreachable, R> =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    let last = clock.currentTimeMillisUnsafe()
    const watch = Effect.gen(function* () {
      for (;;) {
        const still = clock.currentTimeMillisUnsafe() - last
        const left = Duration.toMillis(limit) - still
        if (left <= 0) return yield* new ServerUnreachable({ message: `No progress for ${Duration.format(limit)}` })
        yield* Effect.sleep(left)
      }
    })
    return yield* Effect.raceFirst(
      transfer(() => void (last = clock.currentTimeMillisUnsafe())),
      watch
    )
  })
