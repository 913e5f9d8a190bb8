import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** Videos that are brought up to date at once: each is a row that others may be waiting for. */
const batch = 500

/**
 * What lists sorted by `trending` go by: the views of the last days, kept in each video. Views that are counted are added
 * at once; the passing of days has to be applied to the videos by a task.
 */
export class VideoTrends extends Context.Service<
  VideoTrends,
  {
    /**
     * Makes the views of the last `days` days (UTC, today included) right for every video, and adds up the totals by who
     * made them; answers for how many videos the views were not right. Several nodes may do this at once.
     */
    readonly refresh: (days: number) => Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/videos/reads/VideoTrends") {
  static readonly layer = Layer.effect(
    VideoTrends,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const refresh = Effect.fn("VideoTrends.refresh")(function* (days: number) {
        yield* sql`select compact_owner_total()`
        let changed = 0
        for (;;) {
          const rows = yield* sql<{ changed: number }>`select refresh_trends(${days}, ${batch}) as changed`
          changed += rows[0]!.changed
          if (rows[0]!.changed < batch) return changed
        }
      }, withDatabaseErrors)
      return VideoTrends.of({ refresh })
    })
  )
}
