import { OneTimeTokens } from "@kinora/storage/people/user/OneTimeTokens"
import { Duration, Effect, Layer } from "effect"
import { every } from "../../platform/supervision/Every.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"

/** Deletes one-time tokens that have expired, every hour. */
export const TokenUpkeep = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const tokens = yield* OneTimeTokens
    yield* supervisor.run("expired one-time tokens", every(Duration.hours(1), tokens.prune))
  })
)
