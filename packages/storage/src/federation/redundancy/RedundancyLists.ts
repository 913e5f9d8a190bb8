import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { RedundancyTarget } from "@kinora/domain/requests/RedundancyRequests"
import type { JsonPage } from "@kinora/domain/wire/Json"
import type { VideoRedundancy } from "@kinora/domain/wire/VideoRedundancy"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { textPage } from "../../platform/database/TextPage.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { type CopyRow, videoRedundancies } from "./RedundancyJson.ts"

interface Page {
  readonly start: number
  readonly count: number
  readonly descending: boolean
}

/** Lists of copies of videos, for administrators. */
export class RedundancyLists extends Context.Service<
  RedundancyLists,
  {
    /** JSON text `{"total":…,"data":[…]}` of contract VideoRedundancy, by name of the video. */
    readonly list: (
      target: RedundancyTarget,
      page: Page
    ) => Effect.Effect<JsonPage<VideoRedundancy>, DatabaseUnavailable>
  }
>()("@kinora/storage/federation/redundancy/RedundancyLists") {
  static readonly layer = Layer.effect(
    RedundancyLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const list = Effect.fn("RedundancyLists.list")(function* (target: RedundancyTarget, page: Page) {
        const way = direction(sql, page.descending)
        const shown =
          target === "my-videos" ? sql`r.strategy is null and not v.remote` : sql`r.strategy is not null and v.remote`
        const from = sql`from video v where exists (
          select 1 from video_redundancy r where r.video_id = v.id and ${shown}
        )`
        const rows = yield* sql<{ readonly total: number } & (CopyRow | { readonly id: null })>`
          select t.total, i.* from (select count(*) as total ${from}) t left join lateral (
            select v.id, v.name, v.url, v.uuid, v.position, r.id as "copyId", r.base_url as "fileUrl", r.strategy,
              case when r.size > 0 then r.size else coalesce((
                select sum(f.size) from video_file f where f.streaming_playlist_id = r.streaming_playlist_id
              ), 0)::bigint end as size,
              r.created_at as "createdAt", r.updated_at as "updatedAt", r.expires_at as "expiresAt"
            from (
              select v.*, row_number() over (order by v.name ${way}, v.id ${way}) as position ${from}
              order by v.name ${way}, v.id ${way} ${limit(sql, page)}
            ) v join video_redundancy r on r.video_id = v.id and ${shown}
          ) i on true order by i.position, i."copyId"`
        const copies = rows.flatMap((row) => (row.id === null ? [] : [row]))
        return textPage(rows[0]?.total ?? 0, videoRedundancies(copies))
      }, withDatabaseErrors)

      return RedundancyLists.of({ list })
    })
  )
}
