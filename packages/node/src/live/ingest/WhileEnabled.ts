import { Effect, PubSub } from "effect"
import { RuntimeConfig } from "../../platform/config/RuntimeConfig.ts"

/** Runs work for as long as a door's settings stay as they are and enable it, and anew when they change; forever. */
export const whileEnabled = (settings: () => { readonly enabled: boolean }, work: Effect.Effect<never>) =>
  Effect.gen(function* () {
    const { changes } = yield* RuntimeConfig
    const changed = yield* changes
    for (;;) {
      const wanted = JSON.stringify(settings())
      const untilChanged: Effect.Effect<void> = Effect.andThen(
        PubSub.take(changed),
        Effect.suspend(() => (JSON.stringify(settings()) === wanted ? untilChanged : Effect.void))
      )
      yield* Effect.raceFirst(settings().enabled ? work : Effect.never, untilChanged)
    }
  }).pipe(Effect.scoped)
