import { RemoteDepartures } from "@kinora/storage/federation/remote/RemoteDepartures"
import { Duration, Effect, Layer } from "effect"
import { runOnce } from "../../platform/cluster/Placement.ts"
import { every } from "../../platform/supervision/Every.ts"

const lookEvery = Duration.seconds(5)
/** Between two steps: others write to the same videos. */
const breath = Duration.millis(50)

/** Removes what is left of actors elsewhere that are gone. A node that dies leaves it where it stands. */
export const DepartureTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const departures = yield* RemoteDepartures
    const round = Effect.gen(function* () {
      while (yield* departures.next) yield* Effect.sleep(breath)
    })
    yield* runOnce("departed actors", every(lookEvery, round))
  })
)
