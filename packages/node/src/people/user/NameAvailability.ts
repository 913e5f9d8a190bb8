import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { TakenNames } from "@kinora/storage/people/registration/TakenNames"
import { Context, Effect, Layer } from "effect"

/**
 * Names nobody is given although nobody has them: what other software takes for the instance itself, and a path of the
 * API that a channel of the name would be hidden by (`/video-channels/ownership`). The application actor `peertube` has
 * its name like any other actor; it is here for the time before it is made.
 */
const reserved: ReadonlySet<string> = new Set(["peertube", "kinora", "instance", "ownership"])

/** Names of dots alone would be taken for steps of a path, in the actor's own address first of all. */
const onlyDots = /^\.+$/

const isReserved = (name: string): boolean => reserved.has(name) || onlyDots.test(name)

/**
 * Which names can be given to a new account or channel. They share one namespace: a name is taken when a local actor has
 * it, when a registration that waits for a moderator asks for it (as user name or as channel), or when it is reserved.
 */
export class NameAvailability extends Context.Service<
  NameAvailability,
  {
    /** Those of the names that are taken, in lower case. Two that ask at once may both be told that a name is free. */
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
