import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** Watch history of users, with positions. */
export class HistoryRows extends Context.Service<
  HistoryRows,
  {
    /**
     * Stores the user's position in a video, in seconds, unless the user's history is off. `enabled` is the default for
     * users who have not chosen.
     */
    readonly watch: (
      userId: number,
      videoId: number,
      seconds: number,
      enabled: boolean
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** Removes one video from the history. False if there is no such video. */
    readonly remove: (userId: number, video: VideoIdOrUuid) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Removes what was last watched before the instant (ISO 8601), or everything. */
    readonly removeBefore: (userId: number, before: string | null) => Effect.Effect<void, DatabaseUnavailable>
    /** Removes for all users what was last watched more than this many seconds ago. */
    readonly removeOlder: (seconds: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/history/HistoryRows") {
  static readonly layer = Layer.effect(
    HistoryRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const watch = Effect.fnUntraced(function* (userId: number, videoId: number, seconds: number, enabled: boolean) {
        yield* sql`
          insert into user_video_history (user_id, video_id, current_time_seconds)
          select u.id, v.id, ${seconds}::integer from app_user u, video v
          where u.id = ${userId} and v.id = ${videoId}
            and coalesce((u.preferences ->> 'videosHistoryEnabled')::boolean, ${enabled}::boolean)
          for key share
          on conflict (user_id, video_id) do update
            set current_time_seconds = excluded.current_time_seconds, updated_at = excluded.updated_at`
      }, withDatabaseErrors)

      const remove = Effect.fn("HistoryRows.remove")(function* (userId: number, video: VideoIdOrUuid) {
        const named = video._tag === "Id" ? sql`v.id = ${video.id}` : sql`v.uuid = ${video.uuid}::uuid`
        const [found] = yield* sql<{ isKnown: boolean }>`
          with removed as (
            delete from user_video_history h using video v
            where h.user_id = ${userId} and h.video_id = v.id and ${named}
          )
          select exists (select 1 from video v where ${named}) as "isKnown"`
        return found!.isKnown
      }, withDatabaseErrors)

      const removeBefore = Effect.fn("HistoryRows.removeBefore")(function* (userId: number, before: string | null) {
        yield* sql`
          delete from user_video_history
          where user_id = ${userId} and updated_at < coalesce(${before}::timestamptz, 'infinity')`
      }, withDatabaseErrors)

      const removeOlder = Effect.fn("HistoryRows.removeOlder")(function* (seconds: number) {
        yield* sql`delete from user_video_history where updated_at < now() - ${seconds}::float8 * interval '1 second'`
      }, withDatabaseErrors)

      return HistoryRows.of({ watch, remove, removeBefore, removeOlder })
    })
  )
}
