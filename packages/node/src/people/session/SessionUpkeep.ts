import { TokenRows } from "@kinora/storage/people/session/TokenRows"
import { Duration, Effect, Layer } from "effect"
import { every } from "../../platform/supervision/Every.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"

/** Deletes sessions that can no longer be renewed, every hour. */
export const SessionUpkeep = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const tokens = yield* TokenRows
    yield* supervisor.run("expired sessions", every(Duration.hours(1), tokens.prune))
  })
)
