import { ActorMultikeys } from "@kinora/storage/federation/activitypub/ActorMultikeys"
import { Effect } from "effect"
import { newMultikey } from "../../people/user/KeyPair.ts"

/** Actors that get their key in one turn. */
const batch = 100

/** Makes the second key of actors that are from before they had one; true: there may be more of them. */
export const makeMissingKeys = Effect.gen(function* () {
  const keys = yield* ActorMultikeys
  const ids = yield* keys.missing(batch)
  for (const id of ids) yield* keys.add(id, yield* newMultikey)
  return ids.length === batch
}).pipe(Effect.withSpan("makeMissingKeys"))
