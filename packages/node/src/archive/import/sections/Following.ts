import { type ActorHandle, parseActorHandle, writtenHandle } from "@kinora/domain/ids/ActorHandle"
import { subscriptionGroupNames } from "@kinora/domain/requests/SubscriptionGroupRequests"
import { ImportItems } from "@kinora/storage/archive/import/ImportItems"
import { SubscriptionGroupLists } from "@kinora/storage/social/subscription/SubscriptionGroupLists"
import { Effect } from "effect"
import { SubscriptionGroups } from "../../../social/subscription/SubscriptionGroups.ts"
import { Subscriptions } from "../../../social/subscription/Subscriptions.ts"
import type { SectionImport } from "../context/ImportContext.ts"
import { fieldsOf } from "../context/ImportedFields.ts"

/**
 * Followed channels, if they are known here: an archive never causes requests to other instances. Archives of ours name the groups
 * they were in: they come into these again, as far as there is room.
 */
export const importFollowing = Effect.gen(function* () {
  const items = yield* ImportItems
  const subscriptions = yield* Subscriptions
  const groups = yield* SubscriptionGroups
  const lists = yield* SubscriptionGroupLists

  const putInto = Effect.fnUntraced(
    function* (userId: number, handle: ActorHandle, names: ReadonlyArray<string>) {
      const channels = [{ uri: writtenHandle(handle), handle }]
      for (const name of names) {
        const id = yield* lists.named(userId, name)
        yield* id === undefined
          ? groups.add(userId, { name, channels })
          : groups.update(userId, id, { addChannels: channels })
      }
    },
    Effect.catchTags({ SubscriptionGroupRefused: () => Effect.void, SubscriptionGroupNotFound: () => Effect.void })
  )

  return {
    section: "following",
    files: ["following"],
    lists: ["following"],
    importEntry: Effect.fnUntraced(function* ({ task, user }, entry) {
      const { subscriptionGroups, targetHandle } = fieldsOf(entry)
      const handle = typeof targetHandle === "string" ? parseActorHandle(targetHandle) : undefined
      if (handle === undefined) return "error"
      const isKnown = yield* items.follows(task.actorId, handle)
      if (!isKnown) yield* subscriptions.add(user.id, handle)
      if (!(yield* items.follows(task.actorId, handle))) return "error"
      const names = subscriptionGroups === undefined ? [] : subscriptionGroupNames.parse(subscriptionGroups)
      yield* putInto(user.id, handle, names ?? [])
      return isKnown ? "duplicate" : "success"
    })
  } satisfies SectionImport
})
