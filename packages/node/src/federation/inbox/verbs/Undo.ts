import { sameOrigin } from "@kinora/federation/authority/Authority"
import { type JsonObject } from "@kinora/federation/vocabulary/Json"
import { identifierOf } from "@kinora/federation/vocabulary/Reading"
import { InboxEffects } from "@kinora/storage/federation/inbox/InboxEffects"
import { InboxTargets } from "@kinora/storage/federation/inbox/InboxTargets"
import type { RemoteActor } from "@kinora/storage/federation/remote/RemoteActorRows"
import { type RatingKind, RateRows } from "@kinora/storage/social/rating/RateRows"
import { Effect } from "effect"
import { Follows, type NamedFollow } from "../../follow/Follows.ts"
import { type Change, change, nothing, refuse, subjectOf, type Verb, type VerbFailure } from "./Verb.ts"
import { CacheFiles } from "./CacheFiles.ts"
import { rateOne } from "./Rating.ts"

/** What is undone, as far as the activity names it or it is stored here. */
interface Former {
  readonly id: string | null
  readonly type: string
  readonly object: string | null
}

/**
 * Somebody takes back what they did: a follow, a rating, a share, a copy of a video. Only one's own: what comes along must
 * name the sender as its actor, and what comes by its id alone is looked up among what the sender sent (corpus AP-24).
 */
export const undo = Effect.gen(function* () {
  const targets = yield* InboxTargets
  const effects = yield* InboxEffects
  const follows = yield* Follows
  const cacheFiles = yield* CacheFiles
  const rate = rateOne(targets, yield* RateRows)

  const unfollow = Effect.fnUntraced(function* (former: Former, sender: RemoteActor) {
    const target = former.object === null ? undefined : yield* targets.localActor(former.object)
    const names: Array<NamedFollow> = []
    if (former.id !== null) names.push(former.id)
    if (target !== undefined) names.push({ localActorId: target })
    return change(
      Effect.gen(function* () {
        for (const name of names) if (yield* follows.undone(sender, name)) return
      })
    )
  })

  const unrate = ({ object }: Former, sender: RemoteActor, kind: RatingKind) =>
    object === null
      ? refuse("no such video")
      : rate({ accountId: sender.accountId, video: object, rating: null, instead: kind })

  const unshare = Effect.fnUntraced(function* (former: Former, sender: RemoteActor) {
    const video = former.object === null ? undefined : yield* targets.video(former.object)
    return video === undefined ? nothing : change(effects.unshare(sender.id, video.id))
  })

  const undone = (
    former: Former,
    sender: RemoteActor,
    claim: JsonObject | null
  ): Effect.Effect<Change, VerbFailure> => {
    switch (former.type) {
      case "Follow":
        return unfollow(former, sender)
      case "Like":
        return unrate(former, sender, "like")
      case "Dislike":
        return unrate(former, sender, "dislike")
      case "Announce":
        return unshare(former, sender)
      case "Create":
        return cacheFiles.removal(sender, identifierOf(claim?.["object"]) ?? former.object ?? "")
      default:
        return refuse(`${former.type} cannot be undone`)
    }
  }

  const verb: Verb = Effect.fnUntraced(function* (activity, sender) {
    const subject = yield* subjectOf(activity)
    if (subject._tag !== "Inline" && !sameOrigin(subject.id, activity.actor)) {
      return yield* refuse("what it takes back is not the sender's")
    }
    const claim = subject._tag === "Named" ? subject.claim : subject.object
    if (claim === null) {
      const id = subject._tag === "Inline" ? "" : subject.id
      const former = yield* targets.former(id, activity.actor)
      // A Follow is known by its own id, even when its activity is forgotten here.
      return yield* undone({ id, type: former?.type ?? "Follow", object: former?.object ?? null }, sender, null)
    }
    const actor = identifierOf(claim["actor"])
    if (actor !== null && actor !== activity.actor) return yield* refuse("what it takes back is somebody else's")
    const { type } = claim
    if (typeof type !== "string") return yield* refuse("it does not say what it takes back")
    const id = subject._tag === "Inline" ? null : subject.id
    return yield* undone({ id, type, object: identifierOf(claim["object"]) }, sender, claim)
  })
  return verb
})
