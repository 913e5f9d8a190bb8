import { identifierOf } from "@kinora/federation/vocabulary/Reading"
import { InboxTargets } from "@kinora/storage/federation/inbox/InboxTargets"
import { Effect } from "effect"
import { Follows, type NamedFollow } from "../../follow/Follows.ts"
import { change, refuse, subjectOf, type Verb } from "./Verb.ts"

/**
 * What somebody says to a Follow of ours. Ours is found by the id we gave it, or by who asked whom where the answer carries a
 * copy without it. Answers to what was never asked of the sender come to nothing (corpus AP-36).
 */
export const answerOf = (what: "accepted" | "rejected") =>
  Effect.gen(function* () {
    const targets = yield* InboxTargets
    const follows = yield* Follows

    const verb: Verb = Effect.fnUntraced(function* (activity, sender) {
      const subject = yield* subjectOf(activity)
      const claim = subject._tag === "Inline" ? subject.object : subject._tag === "Named" ? subject.claim : null
      const asker = identifierOf(claim?.["actor"])
      const askerId = asker === null ? undefined : yield* targets.localActor(asker)
      const names: Array<NamedFollow> = []
      if (subject._tag === "Named") names.push(subject.id)
      if (askerId !== undefined && (claim?.["type"] ?? "Follow") === "Follow") names.push({ localActorId: askerId })
      return change(
        Effect.gen(function* () {
          for (const name of names) if (yield* follows[what](sender, name)) return
          return yield* refuse("nothing of the kind was asked of its sender")
        })
      )
    })
    return verb
  })
