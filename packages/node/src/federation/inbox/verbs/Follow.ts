import { InboxTargets } from "@kinora/storage/federation/inbox/InboxTargets"
import { Effect, Option } from "effect"
import { Follows } from "../../follow/Follows.ts"
import { allowance } from "./Allowance.ts"
import { addressed, change, refuse, subjectOf, type Verb } from "./Verb.ts"

/** How often one follower is answered by one of ours: who asks and takes back without end costs no more than that. */
const answers = { burst: 10, perMinute: 1 }

/** Somebody wants to follow an account, a channel or the instance: what is said to that is sent back. */
export const follow = Effect.gen(function* () {
  const targets = yield* InboxTargets
  const follows = yield* Follows
  const mayAsk = allowance(answers)

  const verb: Verb = Effect.fnUntraced(function* (activity, sender) {
    const target = yield* targets.localActor(yield* addressed(yield* subjectOf(activity)))
    if (target === undefined) return yield* refuse("whom it wants to follow is not here")
    if (!(yield* mayAsk(`${sender.id} ${target}`))) return yield* refuse("it was asked for too often")
    return change(
      Effect.flatMap(follows.received({ id: activity.id }, sender, target), (judged) =>
        Option.isNone(judged) ? refuse("its id is that of another follow") : Effect.void
      )
    )
  })
  return verb
})
