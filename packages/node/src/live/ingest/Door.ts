import { Duration, Effect, type Scope } from "effect"
import type { DoorSettings } from "../settings/LiveSettings.ts"
import { whileEnabled } from "./WhileEnabled.ts"

/** A port that is taken may be free later. */
const tryAgainAfter = Duration.seconds(30)

/**
 * Listens for publishers as long as the configuration says so, forever. A port that cannot be listened on is tried again: the
 * rest of the node does not depend on it.
 */
export const keepOpen = <E extends { readonly message: string }>(
  protocol: string,
  settings: () => DoorSettings,
  listen: Effect.Effect<{ readonly port: number }, E, Scope.Scope>
) => {
  const open = Effect.gen(function* () {
    const { port } = yield* listen
    yield* Effect.logInfo(`Lives are taken by ${protocol} on ${settings().host}:${port}`)
    return yield* Effect.never
  }).pipe(
    Effect.scoped,
    Effect.catch((error) => Effect.andThen(Effect.logError(error.message), Effect.sleep(tryAgainAfter)))
  )
  return whileEnabled(settings, Effect.forever(open))
}
