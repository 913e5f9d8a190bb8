import { RemoteDepartures } from "@kinora/storage/federation/remote/RemoteDepartures"
import { Duration, Effect, Layer } from "effect"
import { every } from "../../platform/supervision/Every.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"

const lookEvery = Duration.seconds(5)
/** Between two steps: others write to the same videos. */
const breath = Duration.millis(50)

/** Removes what is left of actors elsewhere that are gone. A node that dies leaves it where it stands. */
export const DepartureTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const departures = yield* RemoteDepartures
    const round = Effect.gen(function* () {
      while (yield* departures.next) yield* Effect.sleep(breath)
    })
    yield* supervisor.run("departed actors", every(lookEvery, round))
  })
)
