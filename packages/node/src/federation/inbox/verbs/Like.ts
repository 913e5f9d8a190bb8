import { InboxTargets } from "@kinora/storage/federation/inbox/InboxTargets"
import { RateRows } from "@kinora/storage/social/rating/RateRows"
import { Effect } from "effect"
import { addressed, change, nothing, refuse, subjectOf, type Verb } from "./Verb.ts"

/**
 * What somebody thinks of a video of ours; of the videos of others their instances count. Most never come here:
 * `inbox_apply_rates` applies them many at a time.
 */
export const rating = (kind: "like" | "dislike") =>
  Effect.gen(function* () {
    const targets = yield* InboxTargets
    const rates = yield* RateRows

    const verb: Verb = Effect.fnUntraced(function* (activity, sender) {
      const video = yield* targets.video(yield* addressed(yield* subjectOf(activity)))
      if (video === undefined || !video.open) return yield* refuse("no such video")
      if (video.remote) return nothing
      const { accountId } = sender
      if (accountId === null) return yield* refuse("only people rate")
      return change(Effect.asVoid(rates.set(accountId, video.id, kind)))
    })
    return verb
  })

export const like = rating("like")
