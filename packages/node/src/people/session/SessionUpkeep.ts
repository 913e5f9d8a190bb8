import { TokenRows } from "@kinora/storage/people/session/TokenRows"
import { Duration, Effect, Layer } from "effect"
import { runOnce } from "../../platform/cluster/Placement.ts"
import { every } from "../../platform/supervision/Every.ts"

/** Deletes sessions that can no longer be renewed, every hour. */
export const SessionUpkeep = Layer.effectDiscard(
  Effect.gen(function* () {
    const tokens = yield* TokenRows
    yield* runOnce("expired sessions", every(Duration.hours(1), tokens.prune))
  })
)
