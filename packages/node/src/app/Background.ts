import { WireRefresher } from "@kinora/storage/videos/reads/WireRefresher"
import { Duration, Effect, Layer } from "effect"
import { every } from "../processing/Housekeeping.ts"
import { Supervisor } from "../supervision/Supervisor.ts"

const batch = 200

/** Makes ready answers that are missing, until none is. */
export const Background = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const refresher = yield* WireRefresher
    const refreshAll = Effect.gen(function* () {
      while ((yield* refresher.refresh(batch)) > 0);
    })
    yield* supervisor.run("ready answers", every(Duration.seconds(1), refreshAll))
  })
).pipe(Layer.provide(WireRefresher.layer))
