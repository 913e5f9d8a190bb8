import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import type { Bucket } from "@kinora/storage/platform/objects/ObjectKey"
import { Effect, FileSystem } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"

export interface VideoOptions {
  /** Name of the owner, who has a channel. */
  readonly owner: string
  readonly privacy?: number
  readonly state?: number
  readonly blacklisted?: boolean
  readonly passwords?: ReadonlyArray<string>
}

export interface TestVideo {
  readonly id: number
  readonly uuid: string
  readonly fileId: number
  readonly hlsFileId: number
  readonly isPrivate: boolean
  /** Name each file of the video begins with. */
  readonly token: string
}

const master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nTOKEN-720.m3u8\n"
const media = `#EXTM3U\n#EXT-X-MAP:URI="TOKEN-720-fragmented.mp4",BYTERANGE="10@0"\n#EXTINF:1,\nTOKEN-720-fragmented.mp4\n`

/** Puts text into the object store under a name. */
export const putObject = Effect.fn("putObject")(function* (bucket: Bucket, name: string, content: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* fs.makeTempFile()
  yield* fs.writeFileString(path, content)
  yield* (yield* ObjectStore).put({ bucket, name }, path)
}, Effect.orDie)

/** Writes a video with one web video, an HLS rendition, pictures, a caption and a torrent, and their objects. */
export const addVideo = Effect.fn("addVideo")(function* (options: VideoOptions) {
  const sql = yield* SqlClient
  const { blacklisted = false, owner, passwords = [], privacy = 1, state = 1 } = options
  const uuid = randomUUID()
  const token = randomUUID()
  const isPrivate = privacy > 2
  const infoHash = token.replaceAll("-", "").padEnd(40, "0")
  const videos = yield* sql<{ id: number }>`
    insert into video (uuid, channel_id, account_id, url, name, privacy, state, description, duration)
    select ${uuid}, c.id, a.id, ${`http://localhost:9000/videos/watch/${uuid}`}, ${`Video of ${owner}`},
      ${privacy}::smallint, ${state}::smallint, 'About it', 5
    from app_user u join account a on a.user_id = u.id join video_channel c on c.account_id = a.id
    where u.username = ${owner} order by c.id limit 1 returning id`
  const id = videos[0]!.id
  const playlists = yield* sql<{ id: number }>`
    insert into streaming_playlist (video_id, playlist_filename, segments_sha256_filename)
    values (${id}, ${`${token}-master.m3u8`}, ${`${token}-segments-sha256.json`}) returning id`
  const renditions = yield* sql<{ id: number }>`
    insert into video_file (streaming_playlist_id, resolution, fps, size, extname, filename, playlist_filename,
      torrent_filename, info_hash, has_audio, has_video)
    values (${playlists[0]!.id}, 720, 25, 100, '.mp4', ${`${token}-720-fragmented.mp4`}, ${`${token}-720.m3u8`},
      ${`${token}-hls.torrent`}, ${infoHash}, true, true) returning id`
  const files = yield* sql<{ id: number }>`
    insert into video_file (video_id, resolution, fps, size, extname, filename, torrent_filename, info_hash, has_audio, has_video,
      metadata)
    values (${id}, 720, 25, 100, '.mp4', ${`${token}-720.mp4`}, ${`${token}.torrent`}, ${infoHash}, true, true,
      '{"streams":[],"format":{},"chapters":[]}') returning id`
  yield* sql`
    insert into thumbnail (video_id, type, filename, width, height)
    values (${id}, 1, ${`${token}.jpg`}, 280, 157), (${id}, 2, ${`${token}-large.jpg`}, 850, 480)`
  yield* sql`
    insert into storyboard (video_id, filename, total_width, total_height, sprite_width, sprite_height, sprite_duration)
    values (${id}, ${`${token}-sprites.jpg`}, 10, 10, 5, 5, 1)`
  yield* sql`insert into video_caption (video_id, language, filename) values (${id}, 'en', ${`${token}-en.vtt`})`
  yield* sql`
    insert into video_source (video_id, input_filename, filename, size)
    values (${id}, 'holiday.mov', ${`${token}.mov`}, 100)`
  if (blacklisted) yield* sql`insert into video_blacklist (video_id, reason) values (${id}, 'spam')`
  for (const password of passwords) {
    yield* sql`insert into video_password (video_id, password) values (${id}, ${password})`
  }
  const web: Bucket = isPrivate ? "web_videos_private" : "web_videos"
  const hls: Bucket = isPrivate ? "streaming_playlists_private" : "streaming_playlists"
  yield* putObject(web, `${token}-720.mp4`, "web video bytes")
  yield* putObject(hls, `${uuid}/${token}-master.m3u8`, master.replaceAll("TOKEN", token))
  yield* putObject(hls, `${uuid}/${token}-720.m3u8`, media.replaceAll("TOKEN", token))
  yield* putObject(hls, `${uuid}/${token}-720-fragmented.mp4`, "fragmented bytes")
  yield* putObject("thumbnails", `${token}.jpg`, "small picture")
  yield* putObject("thumbnails", `${token}-large.jpg`, "large picture")
  yield* putObject("storyboards", `${token}-sprites.jpg`, "sprites")
  yield* putObject("captions", `${token}-en.vtt`, "WEBVTT")
  yield* putObject("torrents", `${token}.torrent`, "torrent")
  return { id, uuid, fileId: files[0]!.id, hlsFileId: renditions[0]!.id, isPrivate, token } satisfies TestVideo
})
