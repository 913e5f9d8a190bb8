import { Context, Effect, Layer } from "effect"
import type { Verb } from "./verbs/Verb.ts"
import { accept } from "./verbs/Accept.ts"
import { announce } from "./verbs/Announce.ts"
import { approveReply } from "./verbs/ApproveReply.ts"
import { CacheFiles } from "./verbs/CacheFiles.ts"
import { create } from "./verbs/Create.ts"
import { deletion } from "./verbs/Delete.ts"
import { download } from "./verbs/Download.ts"
import { flag } from "./verbs/Flag.ts"
import { follow } from "./verbs/Follow.ts"
import { move } from "./verbs/Move.ts"
import { Objects } from "./verbs/Objects.ts"
import { dislike, like } from "./verbs/Rating.ts"
import { reject } from "./verbs/Reject.ts"
import { rejectReply } from "./verbs/RejectReply.ts"
import { undo } from "./verbs/Undo.ts"
import { update } from "./verbs/Update.ts"
import { view } from "./verbs/View.ts"

/**
 * Activities that say how something is by now, rather than that something happened once more: they may come again under the
 * same id and then count again (docs/decisions/inbox.md).
 */
const repeatable: ReadonlySet<string> = new Set([
  ...["Follow", "Accept", "Reject", "Undo", "Like", "Dislike", "Announce", "Create", "Update", "Delete"],
  ...["ApproveReply", "RejectReply", "Move"]
])

/** Whether activities of a type may come again. A View with `expires` says that a viewer is still there. */
export const isRepeatable = (type: string, expires: boolean): boolean =>
  repeatable.has(type) || (type === "View" && expires)

/** Every kind of activity that means something here. */
export class InboxVerbs extends Context.Service<
  InboxVerbs,
  {
    /** Undefined for a type that is accepted and ignored. */
    readonly of: (type: string) => Verb | undefined
  }
>()("@kinora/node/inbox/InboxVerbs") {
  static readonly layerNoDeps = Layer.effect(
    InboxVerbs,
    Effect.gen(function* () {
      const verbs: ReadonlyMap<string, Verb> = new Map([
        ["Accept", yield* accept],
        ["Announce", yield* announce],
        ["ApproveReply", yield* approveReply],
        ["Create", yield* create],
        ["Delete", yield* deletion],
        ["Dislike", yield* dislike],
        ["Download", yield* download],
        ["Flag", yield* flag],
        ["Follow", yield* follow],
        ["Like", yield* like],
        ["Move", yield* move],
        ["Reject", yield* reject],
        ["RejectReply", yield* rejectReply],
        ["Undo", yield* undo],
        ["Update", yield* update],
        ["View", yield* view]
      ])
      return InboxVerbs.of({ of: (type) => verbs.get(type) })
    })
  )

  static readonly layer = InboxVerbs.layerNoDeps.pipe(
    Layer.provide(Objects.layer),
    Layer.provideMerge(CacheFiles.layer)
  )
}
