import { OneTimeTokens } from "@kinora/storage/people/user/OneTimeTokens"
import { Duration, Effect, Layer } from "effect"
import { runOnce } from "../../platform/cluster/Placement.ts"
import { every } from "../../platform/supervision/Every.ts"

/** Deletes one-time tokens that have expired, every hour. */
export const TokenUpkeep = Layer.effectDiscard(
  Effect.gen(function* () {
    const tokens = yield* OneTimeTokens
    yield* runOnce("expired one-time tokens", every(Duration.hours(1), tokens.prune))
  })
)
