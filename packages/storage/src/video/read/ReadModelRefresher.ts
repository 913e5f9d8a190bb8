import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { fillReadModels } from "./ReadModels.ts"
import { refreshSearch } from "./SearchUpkeep.ts"
import { compactVideoCounts, compactVideoTotals } from "./TotalsUpkeep.ts"

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
      const compactCounts = compactVideoCounts(sql)
      const refreshDocuments = refreshSearch(sql)
      const refresh = Effect.fn("ReadModelRefresher.refresh")(function* (limit: number) {
        const texts = yield* fillReadModels(sql, limit)
        const totals = yield* sql<{ rows: number }>`select count(*) as rows from video_total`
        // Four kinds of totals for each of two visibilities: more rows than that are changes to be added up.
        if (totals[0]!.rows > 8) yield* compactVideoTotals(sql)
        yield* compactCounts(25 * limit)
        return texts + (yield* refreshDocuments(limit))
      }, withDatabaseErrors)
      return ReadModelRefresher.of({ refresh })
    })
  )
}
