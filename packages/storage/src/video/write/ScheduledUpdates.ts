import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** A change of privacy that is due. */
export interface DueUpdate {
  readonly videoId: number
  readonly privacy: number | null
}

/** Scheduled changes of privacy. */
export class ScheduledUpdates extends Context.Service<
  ScheduledUpdates,
  {
    /** Due ones, oldest first, at most `limit`. */
    readonly due: (limit: number) => Effect.Effect<ReadonlyArray<DueUpdate>, DatabaseUnavailable>
    /** Removes an applied one. Its owner is notified if the video is visible now. */
    readonly done: (videoId: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/videos/writes/ScheduledUpdates") {
  static readonly layer = Layer.effect(
    ScheduledUpdates,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return ScheduledUpdates.of({
        due: Effect.fn("ScheduledUpdates.due")(function* (limit: number) {
          return yield* sql<DueUpdate>`
            select video_id as "videoId", privacy from video_schedule_update
            where update_at <= now() order by update_at limit ${limit}
          `
        }, withDatabaseErrors),
        done: Effect.fn("ScheduledUpdates.done")(function* (videoId: number) {
          yield* sql`
            with gone as (delete from video_schedule_update where video_id = ${videoId} returning video_id)
            insert into notification_event (tag, subject)
              select 'MyVideoPublished', v.id from gone g join video v on v.id = g.video_id where v.visible > 0 and not v.remote`
        }, withDatabaseErrors)
      })
    })
  )
}
