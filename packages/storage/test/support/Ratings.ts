import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type RatingKind, RateRows } from "../../src/social/rating/RateRows.ts"

/** Has an account rate a video, as the program does it. */
export const rate = (accountId: number, videoId: number, rating: RatingKind | null) =>
  Effect.flatMap(RateRows, (rows) => rows.set(accountId, videoId, rating)).pipe(Effect.provide(RateRows.layer))

/** Has everybody who has an account here rate a video. */
export const rateByAll = (videoId: number, rating: RatingKind) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const accounts = yield* sql<{ id: number }>`select id from account where user_id is not null order by id`
    for (const { id } of accounts) yield* rate(id, videoId, rating)
  })
