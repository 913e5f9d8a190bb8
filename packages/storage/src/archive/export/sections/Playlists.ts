import { Effect } from "effect"
import type { SectionPage, SectionRow } from "./ExportSection.ts"

interface ElementRow {
  readonly videoUrl: string
  readonly startTimestamp: number | null
  readonly stopTimestamp: number | null
}

interface PlaylistRow {
  readonly cursor: number
  readonly origin: string
  readonly displayName: string
  readonly description: string | null
  readonly privacy: number
  readonly url: string
  readonly uuid: string
  readonly type: number
  readonly channel: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** Local ones, widest first. */
  readonly pictures: ReadonlyArray<{
    readonly filename: string
    readonly width: number
    readonly height: number
    readonly createdAt: string
  }>
  readonly elements: ReadonlyArray<ElementRow>
}

const element = ({ startTimestamp, stopTimestamp, videoUrl }: ElementRow) => ({
  videoUrl,
  ...(startTimestamp === null ? {} : { startTimestamp }),
  ...(stopTimestamp === null ? {} : { stopTimestamp })
})

const section = ({ channel, cursor, elements, origin, pictures, ...members }: PlaylistRow): SectionRow => {
  const thumbnails = pictures.map(({ createdAt, filename, height, width }) => {
    return { width, height, url: `${origin}/lazy-static/thumbnails/${filename}`, createdAt, updatedAt: createdAt }
  })
  const name = pictures[0]?.filename
  const file = `video-playlists/thumbnails/${name}`
  const item = {
    ...members,
    channel: channel === null ? null : { name: channel },
    thumbnailUrl: thumbnails[0]?.url ?? null,
    thumbnails,
    elements: elements.map(element),
    archiveFiles: { thumbnail: name === undefined ? null : `../files/${file}` }
  }
  const files = name === undefined ? [] : [{ bucket: "thumbnails" as const, name, as: file }]
  return { cursor, item: JSON.stringify(item), files }
}

/** Playlists of the user with their videos in order (contract: VideoPlaylistsExportJSON). */
export const playlists: SectionPage = (sql, task, after, limit) =>
  Effect.map(
    sql<PlaylistRow>`
      select p.id as cursor, wire_origin() as origin, p.name as "displayName", p.description, p.privacy, p.url,
        p.uuid::text as uuid, p.type, r.preferred_username::text as channel, wire_time(p.created_at) as "createdAt",
        wire_time(p.updated_at) as "updatedAt", coalesce((
          select json_agg(t) from (
            select i.filename, i.width, i.height, wire_time(i.created_at) as "createdAt"
            from video_playlist_thumbnail i where i.playlist_id = p.id and i.remote_url is null order by i.width desc
          ) t
        ), '[]') as pictures, coalesce((
          select json_agg(t) from (
            select v.url as "videoUrl", e.start_timestamp as "startTimestamp", e.stop_timestamp as "stopTimestamp"
            from video_playlist_element e join video v on v.id = e.video_id
            where e.playlist_id = p.id order by e.position
          ) t
        ), '[]') as elements
      from video_playlist p left join video_channel c on c.id = p.channel_id left join actor r on r.id = c.actor_id
      where p.owner_account_id = ${task.accountId} and not p.remote and p.id > ${after} order by p.id limit ${limit}`,
    (rows) => rows.map(section)
  )
