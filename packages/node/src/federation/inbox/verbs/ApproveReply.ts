import type { CheckedActivity } from "@kinora/federation/authority/Authority"
import { InboxEffects } from "@kinora/storage/federation/inbox/InboxEffects"
import { InboxTargets, type OurComment } from "@kinora/storage/federation/inbox/InboxTargets"
import type { RemoteActor } from "@kinora/storage/federation/remote/RemoteActorRows"
import { Effect } from "effect"
import { addressed, type Change, change, refuse, subjectOf, type Verb } from "./Verb.ts"

/**
 * Whoever a video belongs to decides whether it shows a comment of ours: the one thing of ours that others have a say in, and
 * only for comments on their own videos.
 */
export const decision = (
  decided: (effects: InboxEffects["Service"], comment: OurComment, id: string) => Change["write"]
) =>
  Effect.gen(function* () {
    const targets = yield* InboxTargets
    const effects = yield* InboxEffects

    const verb: Verb = Effect.fnUntraced(function* (activity: CheckedActivity, sender: RemoteActor) {
      const comment = yield* targets.ourComment(yield* addressed(yield* subjectOf(activity)))
      if (comment === undefined) return yield* refuse("no such comment of ours")
      if (!comment.deciders.includes(sender.id)) return yield* refuse("the video is not the sender's")
      return change(decided(effects, comment, activity.id))
    })
    return verb
  })

/** The comment is shown, and `replyApproval` says by whose word. */
export const approveReply = decision((effects, comment, id) => effects.approveReply(comment.id, id))
