import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { holdOwnersOf } from "../../people/collaborator/VideoActivities.ts"
import { playlistsBucket, webVideosBucket } from "./NewRenditions.ts"
import { hlsName, type ObjectName } from "../../platform/objects/ObjectIntents.ts"

export interface FileRow {
  readonly id: number
  readonly hls: boolean
  readonly filename: string | null
  readonly playlistFilename: string | null
  readonly torrentFilename: string | null
}

export interface VideoRow {
  readonly id: number
  readonly uuid: string
  readonly privacy: number
  readonly state: number
  readonly waitTranscoding: boolean
}

export interface PlaylistRow {
  readonly id: number
  readonly master: string | null
  readonly segments: string | null
}

/** The video as it is now. Undefined if there is none, or it is remote. */
export const findVideo = Effect.fnUntraced(function* (sql: SqlClient, videoId: number) {
  const rows = yield* sql<VideoRow>`
    select id, uuid, privacy, state, wait_transcoding as "waitTranscoding"
    from video where id = ${videoId} and not remote
  `
  return rows[0]
})

/**
 * The video, locked with its owners until the caller's transaction ends. Undefined if there is none (any more), or it
 * is remote.
 */
export const lockVideo = Effect.fnUntraced(function* (sql: SqlClient, videoId: number) {
  yield* holdOwnersOf(sql, videoId)
  const rows = yield* sql<VideoRow>`
    select id, uuid, privacy, state, wait_transcoding as "waitTranscoding"
    from video where id = ${videoId} and not remote for update
  `
  return rows[0]
})

/** All files of a video's renditions. */
export const filesOf = (sql: SqlClient, videoId: number) =>
  sql<FileRow>`
    select f.id, f.streaming_playlist_id is not null as hls, f.filename, f.playlist_filename as "playlistFilename",
      f.torrent_filename as "torrentFilename"
    from video_file f left join streaming_playlist p on p.id = f.streaming_playlist_id
    where f.video_id = ${videoId} or p.video_id = ${videoId}
    order by f.id
  `

/** The HLS playlists of a video: none or one. */
export const playlistsOf = (sql: SqlClient, videoId: number) =>
  sql<PlaylistRow>`
    select id, playlist_filename as master, segments_sha256_filename as segments
    from streaming_playlist where video_id = ${videoId} order by id
  `

/** The objects that belong to one rendition. */
export const objectsOf = (video: VideoRow, file: FileRow): ReadonlyArray<ObjectName> => {
  const objects: Array<ObjectName> = []
  if (file.hls) {
    const bucket = playlistsBucket(video.privacy)
    if (file.filename !== null) objects.push({ bucket, name: hlsName(video.uuid, file.filename) })
    if (file.playlistFilename !== null) objects.push({ bucket, name: hlsName(video.uuid, file.playlistFilename) })
  } else if (file.filename !== null) objects.push({ bucket: webVideosBucket(video.privacy), name: file.filename })
  if (file.torrentFilename !== null) objects.push({ bucket: "torrents", name: file.torrentFilename })
  return objects
}

/** The objects of the playlist itself: the master playlist and the table of digests. */
export const playlistObjects = Effect.fnUntraced(function* (sql: SqlClient, video: VideoRow) {
  const rows = yield* playlistsOf(sql, video.id)
  const bucket = playlistsBucket(video.privacy)
  return rows
    .flatMap((row) => [row.master, row.segments])
    .filter((name) => name !== null)
    .map((name): ObjectName => ({ bucket, name: hlsName(video.uuid, name) }))
})
