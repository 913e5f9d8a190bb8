import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { MyImportsQuery } from "@kinora/domain/requests/MyVideosQuery"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../database/DatabaseErrors.ts"
import { escapeLike } from "../videos/reads/VideoQuery.ts"

/** Imports of videos as the users who asked for them see them. */
export class MyImports extends Context.Service<
  MyImports,
  {
    /**
     * One page as JSON text, `{"total":…,"data":[…]}` (contract: VideoImportsList). Collaborations are imports of others
     * into channels the account works on.
     */
    readonly list: (
      userId: number,
      accountId: number,
      query: MyImportsQuery
    ) => Effect.Effect<string, DatabaseUnavailable>
  }
>()("@kinora/storage/users/MyImports") {
  static readonly layer = Layer.effect(
    MyImports,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const conditions = (userId: number, accountId: number, query: MyImportsQuery) => {
        const own = sql`i.user_id = ${userId}`
        const shared = sql`v.channel_id in (
          select k.channel_id from video_channel_collaborator k where k.account_id = ${accountId} and k.state = 2)`
        const found = [query.includeCollaborations === true ? sql.or([own, shared]) : own]
        if (query.videoId !== undefined) found.push(sql`i.video_id = ${query.videoId}`)
        if (query.targetUrl !== undefined) found.push(sql`i.target_url = ${query.targetUrl}`)
        if (query.videoChannelSyncId !== undefined) found.push(sql`i.channel_sync_id = ${query.videoChannelSyncId}`)
        if (query.search !== undefined && query.search !== "") {
          const pattern = `%${escapeLike(query.search)}%`
          found.push(sql`(i.target_url ilike ${pattern} or i.torrent_name ilike ${pattern} or v.name ilike ${pattern})`)
        }
        return sql.and(found)
      }

      const list = Effect.fn("MyImports.list")(function* (userId: number, accountId: number, query: MyImportsQuery) {
        const where = conditions(userId, accountId, query)
        const order = query.sort.descending ? sql`i.created_at desc, i.id desc` : sql`i.created_at, i.id`
        const rows = yield* sql<{ body: string }>`
          select '{"total":' || (
            select count(*) from video_import i left join video v on v.id = i.video_id where ${where}
          ) || ',"data":[' || coalesce(string_agg(item, ','), '') || ']}' as body from (
            select left(row_to_json(x)::text, -1)
              || case when p.error is null then '' else ',"error":' || to_json(p.error) end
              || case when s.id is null then '' else ',"videoChannelSync":' || json_build_object(
                'id', s.id, 'externalChannelUrl', s.external_channel_url) end
              || case when p.published is null then ''
                else ',"originallyPublishedAt":' || to_json(wire_time(p.published)) end
              || ',"video":' || case when p.video is null then 'null' else left(coalesce(
                (select summary from video_wire w where w.video_id = p.video), wire_video_summary(p.video)
              ), -1) || wire_video_management(p.video) || '}' end
              || '}' as item
            from (
              select i.*, v.id as video, v.originally_published_at as published
              from video_import i left join video v on v.id = i.video_id where ${where}
              order by ${order} limit ${query.count} offset ${query.start}
            ) p
            left join video_channel_sync s on s.id = p.channel_sync_id
            cross join lateral (
              select p.id, p.target_url as "targetUrl", p.magnet_uri as "magnetUri", p.torrent_name as "torrentName",
                wire_constant('videoImportState', p.state::text) as state, p.attempts,
                wire_time(p.created_at) as "createdAt", wire_time(p.updated_at) as "updatedAt"
            ) x
            order by p.created_at ${query.sort.descending ? sql`desc` : sql`asc`},
              p.id ${query.sort.descending ? sql`desc` : sql`asc`}
          ) page`
        return rows[0]!.body
      }, withDatabaseErrors)

      return MyImports.of({ list })
    })
  )
}
