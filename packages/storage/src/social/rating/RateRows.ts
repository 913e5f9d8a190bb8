import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** What accounts think of videos, with the counts of these. */
export class RateRows extends Context.Service<
  RateRows,
  {
    /** Null: neither any more. False when there is no such account or video. Takes part in the caller's transaction. */
    readonly set: (
      accountId: number,
      videoId: number,
      rating: "like" | "dislike" | null
    ) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/rates/RateRows") {
  static readonly layer = Layer.effect(
    RateRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return RateRows.of({
        set: Effect.fnUntraced(function* (accountId, videoId, rating) {
          const rows = yield* sql<{ known: boolean }>`
            select set_rate(${accountId}::integer, ${videoId}::integer, ${rating}::text) as known`
          return rows[0]!.known
        }, withDatabaseErrors)
      })
    })
  )
}
