import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { fillReadModels } from "./ReadModels.ts"

/** Keeps read models filled. Reads are right without it, and slower where a text is missing. */
export class ReadModelRefresher extends Context.Service<
  ReadModelRefresher,
  {
    /**
     * Makes up to `limit` missing texts of videos and of actors, adds up the totals, and brings what searches look into up
     * to date; answers how many it made. For a task that calls it until it answers 0, then waits a second or two.
     */
    refresh(limit: number): Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/videos/reads/ReadModelRefresher") {
  static readonly layer = Layer.effect(
    ReadModelRefresher,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const refresh = Effect.fn("ReadModelRefresher.refresh")(function* (limit: number) {
        const texts = yield* fillReadModels(sql, limit)
        const totals = yield* sql<{ rows: number }>`select count(*) as rows from video_total`
        // Four kinds of totals for each of two visibilities: more rows than that are changes to be added up.
        if (totals[0]!.rows > 8) yield* sql`select compact_video_total()`
        yield* sql`select compact_video_count(${25 * limit})`
        const documents = yield* sql<{ made: number }>`select refresh_search(${limit}) as made`
        return texts + documents[0]!.made
      }, withDatabaseErrors)
      return ReadModelRefresher.of({ refresh })
    })
  )
}
