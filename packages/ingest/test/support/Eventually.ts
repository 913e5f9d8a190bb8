import { Clock, Effect } from "effect"

const limitMillis = 20_000

/** Waits until something is true, in real time even where a test has a clock of its own. Dies after 20 seconds. */
export const until = (what: string, condition: () => boolean): Effect.Effect<void> =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const began = clock.currentTimeMillisUnsafe()
    while (!condition()) {
      if (clock.currentTimeMillisUnsafe() - began > limitMillis)
        return yield* Effect.die(new Error(`waited for: ${what}`))
      yield* Effect.sleep(10)
    }
  }).pipe(Effect.provideService(Clock.Clock, realClock))

const realClock = Effect.runSync(Clock.Clock)
