import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** Keeps ready answers ready. Reads are right without it, and slower where an answer is missing. */
export class WireRefresher extends Context.Service<
  WireRefresher,
  {
    /**
     * Makes up to `limit` missing answers of videos and of actors, adds up the totals, and brings what searches look into up
     * to date; answers how many it made. For a task that calls it until it answers 0, then waits a second or two.
     */
    refresh(limit: number): Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/videos/reads/WireRefresher") {
  static readonly layer = Layer.effect(
    WireRefresher,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const refresh = Effect.fn("WireRefresher.refresh")(function* (limit: number) {
        const rows = yield* sql<{ made: number }>`select refresh_wire(${limit}) as made`
        const totals = yield* sql<{ rows: number }>`select count(*) as rows from video_total`
        // Four kinds of totals for each of two visibilities: more rows than that are changes to be added up.
        if (totals[0]!.rows > 8) yield* sql`select compact_video_total()`
        yield* sql`select compact_video_count(${25 * limit})`
        const documents = yield* sql<{ made: number }>`select refresh_search(${limit}) as made`
        return rows[0]!.made + documents[0]!.made
      }, withDatabaseErrors)
      return WireRefresher.of({ refresh })
    })
  )
}
