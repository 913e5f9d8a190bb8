import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Json } from "@kinora/domain/wire/Json"
import type { VideoList } from "@kinora/domain/wire/Video"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { textPage } from "../../platform/database/TextPage.ts"
import { isShown, makeShownVideos, type MaybeShown, shownVideo } from "../read/ShownVideos.ts"
import { type VideoViewer } from "../read/VideoQuery.ts"
import { safeText } from "../../platform/database/LikeText.ts"
import { blockersOf, notBlocked } from "../../people/account/OwnerBlocks.ts"

export interface HistoryQuery {
  readonly start: number
  readonly count: number
  readonly search?: string | undefined
}

type WatchedVideo = { readonly total: number } & MaybeShown

/** What users watched. */
export class HistoryLists extends Context.Service<
  HistoryLists,
  {
    /** JSON text (contract: VideoListResponse) of videos the user watched and may still list, last watched first. */
    readonly list: (viewer: VideoViewer, query: HistoryQuery) => Effect.Effect<Json<VideoList>, DatabaseUnavailable>
  }
>()("@kinora/storage/video/history/HistoryLists") {
  static readonly layer = Layer.effect(
    HistoryLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const shown = yield* makeShownVideos(sql, yield* Effect.scope)

      const list = Effect.fn("HistoryLists.list")(function* (viewer: VideoViewer, query: HistoryQuery) {
        const found =
          query.search === undefined
            ? sql`true`
            : sql`search_text(v.name) like search_pattern(${safeText(query.search)})`
        // `visible` says who may list a video: users of the instance see every value except 0, and videos they looked
        // up themselves (sql/video/functions/visibility.sql, sql/federation/functions/listing.sql).
        const mine = sql`
          from user_video_history h join video v on v.id = h.video_id
          where h.user_id = ${viewer.userId} and v.visible <> 0 and ${found}
            and ${notBlocked(sql, "v.account_id", "v.server_id", blockersOf(sql, viewer.accountId))}`
        const rows = yield* sql<WatchedVideo>`
          select t.total, i.* from (select count(*) as total ${mine}) t left join (
            select shown.*, p.seconds as "currentTime", p.at from (
              select v.id, h.current_time_seconds as seconds, h.updated_at as at ${mine}
              order by h.updated_at desc, v.id desc limit ${query.count}::integer offset ${query.start}::integer
            ) p ${sql.literal(shownVideo("p.id"))}
          ) i on true order by i.at desc, i.id desc`
        const texts = yield* shown(rows.filter(isShown))
        return textPage(rows[0]?.total ?? 0, texts)
      }, withDatabaseErrors)

      return HistoryLists.of({ list })
    })
  )
}
