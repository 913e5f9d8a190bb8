import { identifierOf, identifiersOf } from "@kinora/federation/vocabulary/Reading"
import { InboxEffects } from "@kinora/storage/federation/inbox/InboxEffects"
import { Effect } from "effect"
import { RemoteActors } from "../../remote/RemoteActors.ts"
import { RemoteObjects } from "../../remote/RemoteObjects.ts"
import { addressed, change, fetched, refuse, subjectOf, type Verb } from "./Verb.ts"

/**
 * An actor is somewhere else from now on (FEP-7628). The new one must say so, too, by `alsoKnownAs`: then those of ours who
 * follow the old one ask the new one instead.
 */
export const move = Effect.gen(function* () {
  const actors = yield* RemoteActors
  const objects = yield* RemoteObjects
  const effects = yield* InboxEffects

  const verb: Verb = Effect.fnUntraced(function* (activity, sender) {
    const from = yield* addressed(yield* subjectOf(activity))
    const to = identifierOf(activity.activity["target"])
    if (from !== sender.url || to === null || to === from) return yield* refuse("only an actor moves itself")
    const target = yield* fetched(
      objects.fetch(to, { types: ["Person", "Group", "Application", "Service", "Organization"] })
    )
    if (!identifiersOf(target["alsoKnownAs"]).includes(sender.url)) {
      return yield* refuse("where it moves to does not know of it")
    }
    const { id } = yield* fetched(actors.applyUpdate(target))
    return change(
      Effect.flatMap(effects.moveFollowers(sender.id, id), (moved) =>
        moved ? Effect.void : refuse("it moved within a day already")
      )
    )
  })
  return verb
})
