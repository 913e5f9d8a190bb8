import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { compactOwnerTotals } from "./TotalsUpkeep.ts"

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
      const refreshSome = Effect.fnUntraced(function* (days: number) {
        const rows = yield* sql`
          with recent as (
            select video_id, sum(views)::integer as views from video_view_day
            where day > (now() at time zone 'UTC')::date - ${days}::integer group by video_id
          ), wrong as (
            select coalesce(r.video_id, v.id) as id, coalesce(r.views, 0) as views
            from recent r full join (select id, trend_views from video where trend_views > 0) v on v.id = r.video_id
            where coalesce(r.views, 0) <> coalesce(v.trend_views, 0) order by 1 limit ${batch}
          ), locked as (
            select w.* from wrong w join video v on v.id = w.id order by w.id for no key update of v
          )
          update video v set trend_views = l.views from locked l where v.id = l.id returning v.id`
        return rows.length
      })

      const refresh = Effect.fn("VideoTrends.refresh")(function* (days: number) {
        yield* compactOwnerTotals(sql)
        let changed = 0
        for (;;) {
          const some = yield* refreshSome(days)
          changed += some
          if (some < batch) return changed
        }
      }, withDatabaseErrors)
      return VideoTrends.of({ refresh })
    })
  )
}
