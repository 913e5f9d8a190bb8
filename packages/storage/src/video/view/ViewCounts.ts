import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { applyViews } from "./AppliedViews.ts"

/** Maximum number of videos looked up at once. */
const batch = 1000

/**
 * Counters of videos, derived from the sessions of their viewers. Each video has a transaction of its own: larger ones
 * could deadlock. Several nodes may run this at once.
 */
export class ViewCounts extends Context.Service<
  ViewCounts,
  {
    /** Adds counted views to `views` and to the views of the day (UTC). Returns how many. */
    readonly apply: Effect.Effect<number, DatabaseUnavailable>
    /**
     * Updates the current viewers: sessions that reported within this many seconds. Returns how many videos changed.
     */
    readonly refreshViewers: (withinSeconds: number) => Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/views/ViewCounts") {
  static readonly layer = Layer.effect(
    ViewCounts,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const applyOne = applyViews(sql)
      const apply = Effect.gen(function* () {
        let added = 0
        while (true) {
          const videos = yield* sql<{ id: number }>`
            select distinct video_id as id from video_viewing where counted_at is not null and not applied limit ${batch}`
          for (const { id } of videos) {
            added += yield* applyOne(id)
          }
          if (videos.length < batch) return added
        }
      }).pipe(withDatabaseErrors, Effect.withSpan("ViewCounts.apply"))

      const refreshViewers = Effect.fn("ViewCounts.refreshViewers")(function* (withinSeconds: number) {
        const changed = yield* sql<{ id: number; viewers: number }>`
          select coalesce(n.video_id, k.video_id) as id, coalesce(n.viewers, 0) as viewers from (
            select video_id, count(*)::integer as viewers from video_viewing
            where viewer is not null and seen_at > now() - ${withinSeconds}::float8 * interval '1 second' group by 1
          ) n full join (select * from video_viewers where viewers > 0) k on k.video_id = n.video_id
          where n.viewers is distinct from k.viewers
          order by 2 desc, 1 limit ${batch}`
        for (const { id, viewers } of changed) {
          yield* sql`
            insert into video_viewers (video_id, viewers)
            select id, ${viewers}::integer from video where id = ${id} for key share
            on conflict (video_id) do update set viewers = excluded.viewers`
        }
        return changed.length
      }, withDatabaseErrors)

      return ViewCounts.of({ apply, refreshViewers })
    })
  )
}
