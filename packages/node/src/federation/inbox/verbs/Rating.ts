import { InboxTargets } from "@kinora/storage/federation/inbox/InboxTargets"
import { type RatingKind, RateRows, type WantedRating } from "@kinora/storage/social/rating/RateRows"
import { Effect, Result } from "effect"
import { addressed, change, nothing, refuse, subjectOf, type Verb } from "./Verb.ts"

/** What somebody elsewhere says they think of a video. */
export interface ClaimedRating extends Pick<WantedRating, "rating" | "instead"> {
  /** Null: the sender is no person. */
  readonly accountId: number | null
  readonly video: string
}

/** What is to be written, null for nothing; or why it is refused. */
export type DecidedRating = Result.Result<WantedRating | null, string>

/**
 * Decides what ratings change: those of people, about videos of ours. The videos of others are rated at their instances, which
 * count for themselves. One rating is decided as many are.
 */
export const decideRatings = (targets: InboxTargets["Service"]) =>
  Effect.fnUntraced(function* (claims: ReadonlyArray<ClaimedRating>) {
    const videos = yield* targets.videos([...new Set(claims.map(({ video }) => video))])
    return claims.map(({ accountId, instead, rating, video: url }): DecidedRating => {
      const video = videos.get(url)
      // What is not for others any more may still be taken back.
      if (video === undefined || !(video.open || rating === null)) return Result.fail("no such video")
      if (video.remote) return Result.succeed(null)
      if (accountId === null) return Result.fail("only people rate")
      return Result.succeed({ accountId, videoId: video.id, rating, instead })
    })
  })

/** Applies one rating. */
export const rateOne = (targets: InboxTargets["Service"], rates: RateRows["Service"]) => {
  const decide = decideRatings(targets)
  return Effect.fnUntraced(function* (claim: ClaimedRating) {
    const decided = (yield* decide([claim]))[0]!
    if (Result.isFailure(decided)) return yield* refuse(decided.failure)
    const wanted = decided.success
    return wanted === null ? nothing : change(Effect.asVoid(rates.setAll([wanted], { remote: true })))
  })
}

/** Ratings that come by themselves. Most are applied many at a time (`InboxRatings`). */
const rating = (kind: RatingKind) =>
  Effect.gen(function* () {
    const rate = rateOne(yield* InboxTargets, yield* RateRows)
    const verb: Verb = Effect.fnUntraced(function* (activity, { accountId }) {
      return yield* rate({ accountId, video: yield* addressed(yield* subjectOf(activity)), rating: kind })
    })
    return verb
  })

export const like = rating("like")
export const dislike = rating("dislike")
