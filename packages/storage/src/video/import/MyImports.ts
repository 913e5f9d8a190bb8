import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { MyImportsQuery } from "@kinora/domain/requests/MyVideosQuery"
import { labelled } from "@kinora/domain/enums/Labelled"
import { videoImportStateLabels } from "@kinora/domain/enums/VideoImportState"
import { type Json, jsonOf, type JsonPage } from "@kinora/domain/wire/Json"
import type { VideoImport } from "@kinora/domain/wire/MyUserAnswers"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { escapeLike } from "../../platform/database/LikeText.ts"
import { textPage } from "../../platform/database/TextPage.ts"
import { makeShownVideos, type ShownVideo, shownVideo } from "../read/ShownVideos.ts"
import { opened } from "../read/VideoJson.ts"

interface ImportRow {
  readonly id: number
  readonly targetUrl: string | null
  readonly magnetUri: string | null
  readonly torrentName: string | null
  readonly state: number
  readonly attempts: number
  readonly error: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly syncId: number | null
  readonly externalChannelUrl: string | null
  readonly originallyPublishedAt: string | null
  /** Null: there is none yet, or none any more. */
  readonly video: ShownVideo | null
}

/** A row beside the total: `id` is null in the one row of a page without imports. */
type MaybeImport = { readonly total: number } & (ImportRow | { readonly id: null })

const isImport = (row: MaybeImport): row is MaybeImport & ImportRow => row.id !== null

/** An import without its video (contract: VideoImport). */
const videoImport = (row: ImportRow): Omit<typeof VideoImport.Encoded, "video"> => ({
  id: row.id,
  targetUrl: row.targetUrl,
  magnetUri: row.magnetUri,
  torrentName: row.torrentName,
  state: labelled(row.state, videoImportStateLabels),
  attempts: row.attempts,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  ...(row.error === null ? {} : { error: row.error }),
  ...(row.syncId === null || row.externalChannelUrl === null
    ? {}
    : { videoChannelSync: { id: row.syncId, externalChannelUrl: row.externalChannelUrl } }),
  ...(row.originallyPublishedAt === null ? {} : { originallyPublishedAt: row.originallyPublishedAt })
})

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
    ) => Effect.Effect<JsonPage<VideoImport>, DatabaseUnavailable>
    /** One import as JSON text (contract: VideoImport); undefined when there is none. */
    readonly one: (importId: number) => Effect.Effect<Json<VideoImport> | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/video/import/MyImports") {
  static readonly layer = Layer.effect(
    MyImports,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const shown = yield* makeShownVideos(sql, yield* Effect.scope)
      const managed = sql.literal(shownVideo("x.id", true))

      const conditions = (userId: number, accountId: number, query: MyImportsQuery) => {
        const own = sql`i.user_id = ${userId}`
        const shared = sql`v.channel_id in (
          select k.channel_id from video_channel_collaborator k where k.account_id = ${accountId} and k.state = 2)`
        const found = [query.includeCollaborations === true ? sql.or([own, shared]) : own]
        if (query.videoId?._tag === "Id") found.push(sql`i.video_id = ${query.videoId.id}`)
        if (query.videoId?._tag === "Uuid") found.push(sql`v.uuid = ${query.videoId.uuid}::uuid`)
        if (query.targetUrl !== undefined) found.push(sql`i.target_url = ${query.targetUrl}`)
        if (query.videoChannelSyncId !== undefined) found.push(sql`i.channel_sync_id = ${query.videoChannelSyncId}`)
        if (query.search !== undefined && query.search !== "") {
          const pattern = `%${escapeLike(query.search)}%`
          found.push(sql`(i.target_url ilike ${pattern} or i.torrent_name ilike ${pattern} or v.name ilike ${pattern})`)
        }
        return sql.and(found)
      }

      /** Imports; `selected` are conditions on `i`, and what follows them. */
      const rowsOf = (selected: Fragment) => sql`
        select p.id, p.target_url as "targetUrl", p.magnet_uri as "magnetUri", p.torrent_name as "torrentName", p.state,
          p.attempts, p.error, wire_time(p.created_at) as "createdAt", wire_time(p.updated_at) as "updatedAt",
          s.id as "syncId", s.external_channel_url as "externalChannelUrl",
          wire_time(p.published) as "originallyPublishedAt", row_to_json(d) as video, p.created_at as at
        from (
          select i.*, v.id as video, v.originally_published_at as published
          from video_import i left join video v on v.id = i.video_id where ${selected}
        ) p
        left join video_channel_sync s on s.id = p.channel_sync_id
        left join lateral (select shown.* from (select p.video as id) x ${managed} where p.video is not null) d on true`

      const textsOf = Effect.fnUntraced(function* (rows: ReadonlyArray<ImportRow>) {
        const videos = rows.flatMap(({ video }) => (video === null ? [] : [video]))
        const texts = yield* shown(videos)
        const byId = new Map(videos.map(({ id }, n) => [id, texts[n]]))
        return rows.map((row) => {
          const video = row.video === null ? undefined : byId.get(row.video.id)
          return jsonOf<VideoImport>(`${opened(videoImport(row))},"video":${video ?? "null"}}`)
        })
      })

      const list = Effect.fn("MyImports.list")(function* (userId: number, accountId: number, query: MyImportsQuery) {
        const where = conditions(userId, accountId, query)
        const direction = query.sort.descending ? sql`desc` : sql`asc`
        const page = sql`${where} order by i.created_at ${direction}, i.id ${direction}
          limit ${query.count} offset ${query.start}`
        const rows = yield* sql<MaybeImport>`
          select t.total, i.* from (
            select count(*) as total from video_import i left join video v on v.id = i.video_id where ${where}
          ) t left join (${rowsOf(page)}) i on true order by i.at ${direction}, i.id ${direction}`
        return textPage(rows[0]?.total ?? 0, yield* textsOf(rows.filter(isImport)))
      }, withDatabaseErrors)

      const one = Effect.fn("MyImports.one")(function* (importId: number) {
        const [text] = yield* textsOf(yield* sql<ImportRow>`${rowsOf(sql`i.id = ${importId}`)}`)
        return text
      }, withDatabaseErrors)

      return MyImports.of({ list, one })
    })
  )
}
