import type { JsonObject } from "@kinora/federation/vocabulary/Json"
import { identifiersOf } from "@kinora/federation/vocabulary/Reading"
import type { CheckedActivity } from "@kinora/federation/authority/Authority"
import { InboxTargets } from "@kinora/storage/federation/inbox/InboxTargets"
import type { RemoteActor } from "@kinora/storage/federation/remote/RemoteActorRows"
import { Effect } from "effect"
import { refuse, subjectOf, type Verb } from "./Verb.ts"
import { flag } from "./Flag.ts"
import { Objects } from "./Objects.ts"
import { dislike } from "./Rating.ts"
import { view } from "./View.ts"
import { watchAction } from "./WatchAction.ts"

/**
 * Something new: a video, a comment, a playlist, a copy of a video, or what somebody watched. What the sender may not speak
 * for is asked of its own origin, another's only for those whom somebody here follows. Older instances wrap some activities (contract: `Create.object`): these count as if they
 * had come by themselves.
 */
export const create = Effect.gen(function* () {
  const objects = yield* Objects
  const targets = yield* InboxTargets
  const wrapped: Readonly<Record<string, Verb>> = {
    Dislike: yield* dislike,
    Flag: yield* flag,
    View: yield* view,
    WatchAction: yield* watchAction
  }

  /** The activity within, as far as the sender may say so. */
  const unwrapped = (activity: CheckedActivity, object: JsonObject, sender: RemoteActor): CheckedActivity => {
    return {
      ...activity,
      type: String(object["type"]),
      actor: sender.url,
      activity: { ...object, id: activity.id, actor: sender.url },
      subjects: identifiersOf(object["object"]).map((id) => ({ _tag: "Named", id, whose: "ours", claim: null }))
    }
  }

  const verb: Verb = Effect.fnUntraced(function* (activity, sender) {
    const subject = yield* subjectOf(activity)
    if (subject._tag === "Inline") return yield* refuse("what it makes has no id")
    if (subject._tag === "Believed") {
      const { type } = subject.object
      const inner = typeof type === "string" && Object.hasOwn(wrapped, type) ? wrapped[type] : undefined
      return yield* inner === undefined
        ? objects.keep(subject.object, sender)
        : inner(unwrapped(activity, subject.object, sender), sender)
    }
    if (subject.whose === "ours") return yield* refuse("nobody else makes what is ours")
    // Nobody has us fetch at will (corpus AP-24).
    if (subject.whose === "others'" && !(yield* targets.isFollowed(sender.serverId))) {
      return yield* refuse("it belongs to another actor, and nobody here follows the sender")
    }
    return yield* objects.fetchAndKeep(subject.id, sender)
  })
  return verb
})
