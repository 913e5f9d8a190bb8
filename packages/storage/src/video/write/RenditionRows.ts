import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import {
  type NewFile,
  type NewPlaylist,
  type NewStoryboard,
  playlistsBucket,
  type RenditionKind,
  type RenditionSet,
  webVideosBucket
} from "./NewRenditions.ts"
import { hlsName, keepObjects, type ObjectName, removeLater } from "../../platform/objects/ObjectIntents.ts"
import { filesOf, objectsOf, playlistObjects, type VideoRow } from "./VideoFiles.ts"

/** The objects of a set of renditions, for a video of this privacy. */
const objectsOfSet = (uuid: string, privacy: number, set: RenditionSet): ReadonlyArray<ObjectName> => {
  const playlists = playlistsBucket(privacy)
  const hls =
    set.hls === null
      ? []
      : [
          set.hls.master,
          set.hls.segments,
          ...set.hls.files.flatMap((file) => [
            file.filename,
            ...(file.playlistFilename === null ? [] : [file.playlistFilename])
          ])
        ]
  return [
    ...hls.map((name) => ({ bucket: playlists, name: hlsName(uuid, name) })),
    ...set.web.map((file) => ({ bucket: webVideosBucket(privacy), name: file.filename })),
    ...[...(set.hls?.files ?? []), ...set.web].map((file) => ({ bucket: "torrents", name: file.torrentFilename }))
  ]
}

const insertFile = (
  sql: SqlClient,
  owner: { readonly video: number | null; readonly playlist: number | null; readonly stored: ObjectName },
  file: NewFile
) =>
  sql`
    insert into video_file (
      video_id, streaming_playlist_id, resolution, width, height, fps, size, extname, filename, playlist_filename,
      has_audio, has_video, torrent_filename, info_hash, metadata, storage
    ) values (
      ${owner.video}, ${owner.playlist}, ${file.resolution}, ${file.width}, ${file.height}, ${file.fps}, ${file.size},
      ${file.extname}, ${file.filename}, ${file.playlistFilename}, ${file.hasAudio}, ${file.hasVideo}, ${file.torrentFilename},
      ${file.infoHash},
      ${file.metadata === null ? null : JSON.stringify(file.metadata)}::text::jsonb,
      case when exists (
        select from s3_object where bucket = ${owner.stored.bucket} and name = ${owner.stored.name}
      ) then 1 else 0 end
    )
  `

const insertPlaylist = Effect.fnUntraced(function* (sql: SqlClient, video: VideoRow, playlist: NewPlaylist) {
  const [row] = yield* sql<{ id: number }>`
    insert into streaming_playlist (video_id, playlist_filename, segments_sha256_filename)
    values (${video.id}, ${playlist.master}, ${playlist.segments}) returning id
  `
  for (const file of playlist.files) {
    const stored = { bucket: playlistsBucket(video.privacy), name: hlsName(video.uuid, file.filename) }
    yield* insertFile(sql, { video: null, playlist: row!.id, stored }, file)
  }
})

/**
 * Gives a locked video these renditions instead of all it had, or of those of one kind. The old files are removed after
 * `graceSeconds`, until when the addresses of web videos lead to the new ones, which are taken off the removal queue.
 */
export const replaceRenditions = Effect.fnUntraced(function* (
  sql: SqlClient,
  video: VideoRow,
  set: RenditionSet,
  graceSeconds: number,
  only?: RenditionKind
) {
  const fresh = objectsOfSet(video.uuid, video.privacy, set)
  const kept = new Set(fresh.map(({ bucket, name }) => `${bucket}/${name}`))
  const [hls, web] = [only !== "web-video", only !== "hls"]
  const files = (yield* filesOf(sql, video.id)).filter((file) => (file.hls ? hls : web))
  const playlist = hls ? yield* playlistObjects(sql, video) : []
  const old = [...files.flatMap((file) => objectsOf(video, file)), ...playlist]
  yield* removeLater(
    sql,
    old.filter(({ bucket, name }) => !kept.has(`${bucket}/${name}`)),
    graceSeconds
  )
  if (web && graceSeconds > 0) {
    yield* sql`
      insert into replaced_video_file (filename, video_id, resolution, kept_until)
      select filename, video_id, resolution, now() + make_interval(secs => ${graceSeconds})
      from video_file where video_id = ${video.id} and filename is not null and not filename = any(${set.web.map((file) => file.filename)}::text[])
      on conflict (filename) do nothing`
  }
  if (hls) yield* sql`delete from streaming_playlist where video_id = ${video.id}`
  if (web) yield* sql`delete from video_file where video_id = ${video.id}`
  if (set.hls !== null) yield* insertPlaylist(sql, video, set.hls)
  for (const file of set.web) {
    const stored = { bucket: webVideosBucket(video.privacy), name: file.filename }
    yield* insertFile(sql, { video: video.id, playlist: null, stored }, file)
  }
  yield* keepObjects(sql, fresh)
})

/** Removes the storyboard of a video. */
export const removeStoryboard = Effect.fnUntraced(function* (sql: SqlClient, videoId: number) {
  const old = yield* sql<{ name: string }>`
    delete from storyboard where video_id = ${videoId} returning filename as name
  `
  yield* removeLater(
    sql,
    old.map(({ name }) => ({ bucket: "storyboards", name })),
    3600
  )
})

/** Replaces the storyboard of a video. */
export const replaceStoryboard = Effect.fnUntraced(function* (
  sql: SqlClient,
  videoId: number,
  storyboard: NewStoryboard
) {
  const old = yield* sql<{ name: string }>`
    delete from storyboard where video_id = ${videoId} and filename <> ${storyboard.filename} returning filename as name
  `
  yield* removeLater(
    sql,
    old.map(({ name }) => ({ bucket: "storyboards", name })),
    3600
  )
  yield* sql`
    insert into storyboard (video_id, filename, total_width, total_height, sprite_width, sprite_height, sprite_duration)
    values (
      ${videoId}, ${storyboard.filename}, ${storyboard.totalWidth}, ${storyboard.totalHeight},
      ${storyboard.spriteWidth}, ${storyboard.spriteHeight}, ${storyboard.spriteDuration}
    ) on conflict (video_id) do nothing
  `
  yield* keepObjects(sql, [{ bucket: "storyboards", name: storyboard.filename }])
})
