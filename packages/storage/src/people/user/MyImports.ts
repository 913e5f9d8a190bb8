import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { MyImportsQuery } from "@kinora/domain/requests/MyVideosQuery"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { escapeLike } from "../../platform/database/LikeText.ts"

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
    /** One import as JSON text (contract: VideoImport); undefined when there is none. */
    readonly one: (importId: number) => Effect.Effect<string | undefined, DatabaseUnavailable>
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

      /** Each import of `p`, which has `id`, `created_at`, and the rest of the row, as JSON text. */
      const items = (selected: Fragment) => sql`
        select p.id, p.created_at, left(row_to_json(x)::text, -1)
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
          from video_import i left join video v on v.id = i.video_id where ${selected}
        ) p
        left join video_channel_sync s on s.id = p.channel_sync_id
        cross join lateral (
          select p.id, p.target_url as "targetUrl", p.magnet_uri as "magnetUri", p.torrent_name as "torrentName",
            wire_constant('videoImportState', p.state::text) as state, p.attempts,
            wire_time(p.created_at) as "createdAt", wire_time(p.updated_at) as "updatedAt"
        ) x`

      const list = Effect.fn("MyImports.list")(function* (userId: number, accountId: number, query: MyImportsQuery) {
        const where = conditions(userId, accountId, query)
        const direction = query.sort.descending ? sql`desc` : sql`asc`
        const page = sql`${where} order by i.created_at ${direction}, i.id ${direction}
          limit ${query.count} offset ${query.start}`
        const rows = yield* sql<{ body: string }>`
          select '{"total":' || (
            select count(*) from video_import i left join video v on v.id = i.video_id where ${where}
          ) || ',"data":[' || coalesce(string_agg(item, ',' order by created_at ${direction}, id ${direction}), '')
            || ']}' as body
          from (${items(page)}) page`
        return rows[0]!.body
      }, withDatabaseErrors)

      const one = Effect.fn("MyImports.one")(function* (importId: number) {
        const rows = yield* sql<{ item: string }>`${items(sql`i.id = ${importId}`)}`
        return rows[0]?.item
      }, withDatabaseErrors)

      return MyImports.of({ list, one })
    })
  )
}
