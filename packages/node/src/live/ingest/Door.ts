import { Duration, Effect, PubSub, type Scope } from "effect"
import { RuntimeConfig } from "../../platform/config/RuntimeConfig.ts"
import type { DoorSettings } from "../settings/LiveSettings.ts"

/** A port that is taken may be free later. */
const tryAgainAfter = Duration.seconds(30)

/**
 * Listens as long as the configuration says so, forever; anew when it changes. A port that cannot be listened on is tried again:
 * the rest of the node does not depend on it.
 */
export const keepOpen = <E extends { readonly message: string }>(
  name: string,
  settings: () => DoorSettings,
  listen: Effect.Effect<{ readonly port: number }, E, Scope.Scope>
) =>
  Effect.gen(function* () {
    const { changes } = yield* RuntimeConfig
    const open = Effect.gen(function* () {
      const { port } = yield* listen
      yield* Effect.logInfo(`Lives are taken by ${name} on ${settings().host}:${port}`)
      return yield* Effect.never
    }).pipe(
      Effect.scoped,
      Effect.catch((error) => Effect.andThen(Effect.logError(error.message), Effect.sleep(tryAgainAfter)))
    )
    const changed = yield* changes
    for (;;) {
      const wanted = JSON.stringify(settings())
      const untilChanged: Effect.Effect<void> = Effect.andThen(
        PubSub.take(changed),
        Effect.suspend(() => (JSON.stringify(settings()) === wanted ? untilChanged : Effect.void))
      )
      yield* Effect.raceFirst(settings().enabled ? Effect.forever(open) : Effect.never, untilChanged)
    }
  }).pipe(Effect.scoped)
