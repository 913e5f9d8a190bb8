import { RatingParties } from "@kinora/storage/federation/outbox/RatingParties"
import { Effect, Schema } from "effect"
import { rateActivity, undoRateActivity } from "../activity/Rate.ts"
import { ActivitySender } from "../send/ActivitySender.ts"
import { type ChangeHandler, detailsOf } from "./ChangeHandler.ts"

const Rate = Schema.Struct({ type: Schema.Literals(["like", "dislike"]), url: Schema.String })

const details = detailsOf(Schema.Struct({ before: Schema.NullOr(Rate), after: Schema.NullOr(Rate) }))

/** Ratings of videos elsewhere by users of ours: the instance of the video counts them. */
export const ratingChanges = Effect.gen(function* () {
  const parties = yield* RatingParties
  const sender = yield* ActivitySender

  const handle: ChangeHandler = Effect.fn("ratingChanges")(function* (change) {
    const { after, before } = yield* details(change)
    const party = yield* parties.of(change.byId, change.thingId)
    // With an account or a video that is gone its ratings are.
    if (party === undefined || before?.url === after?.url) return
    if (before !== null) yield* sender.send(party.actorId, undoRateActivity(before, party))
    if (after !== null) yield* sender.send(party.actorId, rateActivity(after, party))
  })
  return handle
})
