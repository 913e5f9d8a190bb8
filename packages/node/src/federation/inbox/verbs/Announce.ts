import { sameOrigin } from "@kinora/federation/authority/Authority"
import { noteTypes } from "@kinora/federation/objects/NoteObject"
import { identifierOf } from "@kinora/federation/vocabulary/Reading"
import { InboxEffects } from "@kinora/storage/federation/inbox/InboxEffects"
import { InboxTargets } from "@kinora/storage/federation/inbox/InboxTargets"
import type { RemoteActor } from "@kinora/storage/federation/remote/RemoteActorRows"
import { Effect } from "effect"
import { RemoteComments } from "../../remote/RemoteComments.ts"
import { RemoteObjects } from "../../remote/RemoteObjects.ts"
import { RemoteVideos } from "../../remote/RemoteVideos.ts"
import { change, fetched, nothing, refuse, subjectOf, type Verb } from "./Verb.ts"
import { isNote } from "./Objects.ts"

/** What a group passes on to its followers (FEP-1b12): activities about objects that have to be asked for anyway. */
const passedOn: ReadonlySet<unknown> = new Set(["Create", "Update"])

/**
 * An actor passes something on to its followers. A channel announces its own new videos, an instance those of its channels,
 * and anybody what they like; groups of other software announce comments (FEP-1b12). Whatever it is comes from its own
 * origin. So that nobody has us fetch at will (corpus AP-24), what is neither known nor of the sender's origin is fetched
 * only for those whom somebody here follows, and nothing announced is itself looked into further.
 */
export const announce = Effect.gen(function* () {
  const targets = yield* InboxTargets
  const effects = yield* InboxEffects
  const objects = yield* RemoteObjects
  const videos = yield* RemoteVideos
  const comments = yield* RemoteComments

  const shared = (activityId: string, sender: RemoteActor, videoId: number) =>
    change(effects.share({ url: activityId, actorId: sender.id, videoId }))

  const verb: Verb = Effect.fnUntraced(function* (activity, sender) {
    const subject = yield* subjectOf(activity)
    if (subject._tag === "Inline") return yield* refuse("what it announces has no id")
    const claim = subject._tag === "Believed" ? subject.object : subject.claim
    const inner = claim !== null && passedOn.has(claim["type"]) ? identifierOf(claim["object"]) : null
    const url = inner ?? subject.id
    const known = yield* targets.video(url)
    if (known !== undefined) {
      return known.open ? shared(activity.id, sender, known.id) : yield* refuse("no such video")
    }
    if (subject._tag === "Named" && subject.whose === "ours") return nothing
    const followed = yield* targets.isFollowed(sender.serverId)
    const unknown = "what it announces is unknown, and nobody here follows it"
    if (!sameOrigin(url, sender.url) && !followed) return yield* refuse(unknown)
    const object = yield* fetched(objects.fetch(url, { types: ["Video", ...noteTypes] }))
    // Where the address led to.
    if (!sameOrigin(object.id, sender.url) && !followed) return yield* refuse(unknown)
    if (isNote(object["type"])) {
      yield* fetched(comments.upsert(object))
      return nothing
    }
    const { id } = yield* fetched(videos.upsert(object))
    return shared(activity.id, sender, id)
  })
  return verb
})
