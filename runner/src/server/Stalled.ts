import { Clock, Duration, Effect } from "effect"
import { ServerUnreachable } from "./ServerErrors.ts"

/** Marks that something moves. */
export type Moved = () => void

/** Fails a transfer in which nothing moved for so long, however long the whole of it takes. */
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
        if (left <= 0) return yield* new ServerUnreachable({ message: `Nothing moved for ${Duration.format(limit)}` })
        yield* Effect.sleep(left)
      }
    })
    return yield* Effect.raceFirst(
      transfer(() => void (last = clock.currentTimeMillisUnsafe())),
      watch
    )
  })
