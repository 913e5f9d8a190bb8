import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { withDatabaseErrors } from "@kinora/storage/platform/database/Database"
import { RateRows } from "@kinora/storage/social/rating/RateRows"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

export type Rating = "like" | "dislike" | "none"

/** What accounts think of videos. */
export class Rates extends Context.Service<
  Rates,
  {
    /** Sets it, in one transaction with the video's counts. Whether the account may see the video was decided before. */
    readonly set: (
      accountId: number,
      videoId: number,
      rating: Rating
    ) => Effect.Effect<void, VideoNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/rates/Rates") {
  static readonly layer = Layer.effect(
    Rates,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* RateRows
      return Rates.of({
        set: Effect.fn("Rates.set")(
          function* (accountId, videoId, rating) {
            const known = yield* rows.set(accountId, videoId, rating === "none" ? null : rating)
            if (!known) return yield* new VideoNotFound()
          },
          sql.withTransaction,
          withDatabaseErrors
        )
      })
    })
  )
}
