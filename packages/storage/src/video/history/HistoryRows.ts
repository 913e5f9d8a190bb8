import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { type VideoViewer } from "../read/VideoQuery.ts"
import { safeText } from "../../platform/database/LikeText.ts"

export interface HistoryQuery {
  readonly start: number
  readonly count: number
  readonly search?: string | undefined
}

/** What users have watched, and how far. */
export class HistoryRows extends Context.Service<
  HistoryRows,
  {
    /**
     * Remembers where the user is in a video, in seconds, unless the user keeps no history. `enabled` holds for users
     * who have not said.
     */
    readonly watch: (
      userId: number,
      videoId: number,
      seconds: number,
      enabled: boolean
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** JSON text (contract: VideoListResponse) of what the user watched and may still list, the last watched first. */
    readonly list: (viewer: VideoViewer, query: HistoryQuery) => Effect.Effect<string, DatabaseUnavailable>
    /** Forgets one video, if it is there. */
    readonly remove: (userId: number, video: VideoIdOrUuid) => Effect.Effect<void, DatabaseUnavailable>
    /** Forgets what was last watched before the instant (ISO 8601), or everything. */
    readonly removeBefore: (userId: number, before: string | null) => Effect.Effect<void, DatabaseUnavailable>
    /** Forgets for everybody what was last watched longer ago than so many seconds. */
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

      const list = Effect.fn("HistoryRows.list")(function* (viewer: VideoViewer, query: HistoryQuery) {
        const found =
          query.search === undefined
            ? sql`true`
            : sql`search_text(v.name) like search_pattern(${safeText(query.search)})`
        // `visible` is who may list a video: all users of the instance see what is not 0, and what they looked up
        // themselves (sql/video/functions/visibility.sql, sql/federation/functions/listing.sql).
        const mine = sql`
          from user_video_history h join video v on v.id = h.video_id
          where h.user_id = ${viewer.userId} and v.visible <> 0 and ${found}
            and v.account_id not in (select target_account_id from account_block where account_id in (select id from blocker))
            and (v.server_id is null
              or v.server_id not in (select server_id from server_block where account_id in (select id from blocker)))`
        const rows = yield* sql<{ body: string }>`
          with blocker as (
            select ${viewer.accountId}::integer as id union all
            select c.id from account c join actor a on a.id = c.actor_id where a.server_id is null and a.type = 'Application'
          )
          select '{"total":' || (select count(*) ${mine}) || ',"data":[' || coalesce(string_agg(
            left(coalesce(w.summary, wire_video_summary(p.id)), -1) || ',"userHistory":{"currentTime":' || p.seconds || '}}',
            ',' order by p.at desc, p.id desc
          ), '') || ']}' as body from (
            select v.id, h.current_time_seconds as seconds, h.updated_at as at ${mine}
            order by h.updated_at desc, v.id desc limit ${query.count}::integer offset ${query.start}::integer
          ) p left join video_wire w on w.video_id = p.id`
        return rows[0]!.body
      }, withDatabaseErrors)

      const remove = Effect.fn("HistoryRows.remove")(function* (userId: number, video: VideoIdOrUuid) {
        const named = video._tag === "Id" ? sql`v.id = ${video.id}` : sql`v.uuid = ${video.uuid}::uuid`
        yield* sql`
          delete from user_video_history h using video v
          where h.user_id = ${userId} and h.video_id = v.id and ${named}`
      }, withDatabaseErrors)

      const removeBefore = Effect.fn("HistoryRows.removeBefore")(function* (userId: number, before: string | null) {
        yield* sql`
          delete from user_video_history
          where user_id = ${userId} and updated_at < coalesce(${before}::timestamptz, 'infinity')`
      }, withDatabaseErrors)

      const removeOlder = Effect.fn("HistoryRows.removeOlder")(function* (seconds: number) {
        yield* sql`delete from user_video_history where updated_at < now() - ${seconds}::float8 * interval '1 second'`
      }, withDatabaseErrors)

      return HistoryRows.of({ watch, list, remove, removeBefore, removeOlder })
    })
  )
}
