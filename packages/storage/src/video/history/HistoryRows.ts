import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { Json } from "@kinora/domain/wire/Json"
import type { VideoList } from "@kinora/domain/wire/Video"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { textPage } from "../../platform/database/TextPage.ts"
import { isShown, makeShownVideos, type MaybeShown, shownVideo } from "../read/ShownVideos.ts"
import { type VideoViewer } from "../read/VideoQuery.ts"
import { safeText } from "../../platform/database/LikeText.ts"

export interface HistoryQuery {
  readonly start: number
  readonly count: number
  readonly search?: string | undefined
}

type WatchedVideo = { readonly total: number } & MaybeShown

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
    /** JSON text (contract: VideoListResponse) of videos the user watched and may still list, last watched first. */
    readonly list: (viewer: VideoViewer, query: HistoryQuery) => Effect.Effect<Json<VideoList>, DatabaseUnavailable>
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
      const shown = yield* makeShownVideos(sql, yield* Effect.scope)

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
        // `visible` says who may list a video: users of the instance see every value except 0, and videos they looked
        // up themselves (sql/video/functions/visibility.sql, sql/federation/functions/listing.sql).
        const mine = sql`
          from user_video_history h join video v on v.id = h.video_id
          where h.user_id = ${viewer.userId} and v.visible <> 0 and ${found}
            and v.account_id not in (select target_account_id from account_block where account_id in (select id from blocker))
            and (v.server_id is null
              or v.server_id not in (select server_id from server_block where account_id in (select id from blocker)))`
        const rows = yield* sql<WatchedVideo>`
          with blocker as (
            select ${viewer.accountId}::integer as id union all
            select c.id from account c join actor a on a.id = c.actor_id where a.server_id is null and a.type = 'Application'
          )
          select t.total, i.* from (select count(*) as total ${mine}) t left join (
            select shown.*, p.seconds as "currentTime", p.at from (
              select v.id, h.current_time_seconds as seconds, h.updated_at as at ${mine}
              order by h.updated_at desc, v.id desc limit ${query.count}::integer offset ${query.start}::integer
            ) p ${sql.literal(shownVideo("p.id"))}
          ) i on true order by i.at desc, i.id desc`
        const texts = yield* shown(rows.filter(isShown))
        return textPage(rows[0]?.total ?? 0, texts)
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

      return HistoryRows.of({ watch, list, remove, removeBefore, removeOlder })
    })
  )
}
