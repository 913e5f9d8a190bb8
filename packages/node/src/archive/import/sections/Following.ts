import { parseActorHandle } from "@kinora/domain/ids/ActorHandle"
import { ImportItems } from "@kinora/storage/archive/import/ImportItems"
import { Effect } from "effect"
import { Subscriptions } from "../../../social/subscription/Subscriptions.ts"
import type { SectionImport } from "../context/ImportContext.ts"
import { fieldsOf } from "../context/ImportedFields.ts"

/** Followed channels, if they are known here: an archive never causes requests to other instances. */
export const importFollowing = Effect.gen(function* () {
  const items = yield* ImportItems
  const subscriptions = yield* Subscriptions
  return {
    section: "following",
    files: ["following"],
    lists: ["following"],
    importEntry: Effect.fnUntraced(function* ({ task, user }, entry) {
      const { targetHandle } = fieldsOf(entry)
      const handle = typeof targetHandle === "string" ? parseActorHandle(targetHandle) : undefined
      if (handle === undefined) return "error"
      if (yield* items.follows(task.actorId, handle)) return "duplicate"
      yield* subscriptions.add(user.id, handle)
      return (yield* items.follows(task.actorId, handle)) ? "success" : "error"
    })
  } satisfies SectionImport
})
