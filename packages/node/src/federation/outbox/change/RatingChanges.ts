import { CommentPublications } from "@kinora/storage/federation/outbox/CommentPublications"
import { RatingParties } from "@kinora/storage/federation/outbox/RatingParties"
import { Effect, Schema } from "effect"
import { announcedRate, type Rate, rateActivity, undoRateActivity } from "../activity/Rate.ts"
import { lanes } from "../send/ActivityDraft.ts"
import { ActivitySender } from "../send/ActivitySender.ts"
import { Conversations } from "../send/Conversations.ts"
import { type ChangeHandler, detailsOf } from "./ChangeHandler.ts"

const RateFacts = Schema.Struct({
  type: Schema.Literals(["like", "dislike"]),
  /** Null: of a video of ours, whose ratings are not sent one by one. */
  url: Schema.NullOr(Schema.String),
  /** Microseconds since 1970: when it was made. */
  stamp: Schema.Int
})

const details = detailsOf(Schema.Struct({ before: Schema.NullOr(RateFacts), after: Schema.NullOr(RateFacts) }))

const sentRate = (facts: typeof RateFacts.Type | null): Rate | null =>
  facts === null || facts.url === null ? null : { type: facts.type, url: facts.url }

/**
 * Ratings by users of ours: the instance of a video elsewhere counts them; those of our own videos their channel announces to
 * servers of groups, where it announces what is said.
 */
export const ratingChanges = Effect.gen(function* () {
  const parties = yield* RatingParties
  const comments = yield* CommentPublications
  const sender = yield* ActivitySender
  const conversations = yield* Conversations

  const ofOurs = Effect.fnUntraced(function* (
    videoId: number,
    accountId: number,
    { after, before }: Effect.Success<ReturnType<typeof details>>
  ) {
    const video = yield* comments.video(videoId)
    const actorUrl = yield* parties.actorUrl(accountId)
    const rate = after ?? before
    if (video === undefined || video.isRemote || actorUrl === undefined || rate === null) return
    const said = announcedRate({ ...rate, videoId, videoUrl: video.url, actorUrl }, after === null)
    const thing = `${actorUrl} ${video.url}`
    yield* conversations.announce({ uri: said.id, payload: said, thing, lane: lanes.rating }, video)
  })

  const handle: ChangeHandler = Effect.fn("ratingChanges")(function* (change) {
    const facts = yield* details(change)
    const party = yield* parties.of(change.byId, change.thingId)
    if (party === undefined) return yield* ofOurs(change.thingId, change.byId, facts)
    const before = sentRate(facts.before)
    const after = sentRate(facts.after)
    if (before?.url === after?.url) return
    if (before !== null) yield* sender.send(party.actorId, undoRateActivity(before, party))
    if (after !== null) yield* sender.send(party.actorId, rateActivity(after, party))
  })
  return handle
})
