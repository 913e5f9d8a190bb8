import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { TakenNames } from "@kinora/storage/people/registration/TakenNames"
import { Context, Effect, Layer } from "effect"

/**
 * Names that are never given out: names that other software uses for the instance itself, and a path of the API that
 * would hide a channel of that name (`/video-channels/ownership`). The application actor `peertube` has its name like
 * any other actor; it is listed for the time before that actor is made.
 */
const reserved: ReadonlySet<string> = new Set(["peertube", "kinora", "instance", "ownership"])

/** A name of dots only would be read as path steps, above all in the actor's own URL. */
const onlyDots = /^\.+$/

const isReserved = (name: string): boolean => reserved.has(name) || onlyDots.test(name)

/**
 * Which names are available for a new account or channel. Both share one namespace. A name is taken if a local actor
 * has it, if a pending registration asks for it (as username or channel), or if it is reserved.
 */
export class NameAvailability extends Context.Service<
  NameAvailability,
  {
    /** Those of the names that are taken, in lower case. Two clients that ask at once may both see a name as free. */
    readonly free: (names: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, DatabaseUnavailable>
  }
>()("@kinora/node/users/NameAvailability") {
  static readonly layer = Layer.effect(
    NameAvailability,
    Effect.gen(function* () {
      const rows = yield* TakenNames
      return NameAvailability.of({
        free: Effect.fn("NameAvailability.free")(function* (names: ReadonlyArray<string>) {
          const taken = new Set(yield* rows.names(names))
          for (const name of names) {
            const lower = name.toLowerCase()
            if (isReserved(lower)) taken.add(lower)
          }
          return taken
        })
      })
    })
  )
}
