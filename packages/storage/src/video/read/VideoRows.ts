import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { VideoDetailsRow, VideoRow } from "./VideoJson.ts"
import type { StreamingPlaylistRow, VideoFileRow } from "./VideoFileJson.ts"

/** The pictures of the video `v`: an array of `ThumbnailRow`, by width. */
export const thumbnailsColumn = `coalesce((
    select json_agg(t) from (
      select type, filename, remote_url as "remoteUrl", width, height from thumbnail where video_id = v.id order by width, id
    ) t
  ), '[]') as thumbnails`

const columns = `v.id, o.origin, v.uuid::text as uuid, v.url, v.name, v.category, v.licence, v.language, v.privacy, v.nsfw,
  v.nsfw_flags as "nsfwFlags", v.nsfw_summary as "nsfwSummary", v.description, v.remote, v.duration,
  round(v.aspect_ratio::numeric, 4)::float8 as "aspectRatio", wire_time(v.created_at) as "createdAt",
  wire_time(v.updated_at) as "updatedAt", wire_time(v.published_at) as "publishedAt",
  wire_time(v.originally_published_at) as "originallyPublishedAt", v.is_live as "isLive",
  case when v.is_live then array(
    select wire_time(s.start_at) from live_schedule s where s.video_id = v.id order by s.start_at
  ) else '{}' end as "liveSchedules",
  ${thumbnailsColumn},
  (select actor_id from account where id = v.account_id) as "accountActorId",
  (select actor_id from video_channel where id = v.channel_id) as "channelActorId"`

const from = "from (select wire_origin() as origin) o, video v"

/** What decides the addresses of the files of `v`, and these: web videos, and the renditions of streaming playlists. */
const fileColumns = `
  coalesce((select tracker_urls from remote_video where video_id = v.id), '{}') as "remoteTrackers",
  coalesce((
    select json_agg(f) from (
      select id, streaming_playlist_id as "playlistId", resolution, width, height, fps, size, extname, filename,
        file_url as "fileUrl", playlist_filename as "playlistFilename", playlist_url as "playlistUrl",
        torrent_filename as "torrentFilename", torrent_url as "torrentUrl", info_hash as "infoHash",
        has_audio as "hasAudio", has_video as "hasVideo", storage, metadata_url as "metadataUrl"
      from video_file where video_id = v.id
        or streaming_playlist_id = any(array(select id from streaming_playlist where video_id = v.id))
      order by resolution desc, fps desc, id
    ) f
  ), '[]') as files,
  coalesce((
    select json_agg(p) from (
      select id, type, playlist_filename as "playlistFilename", playlist_url as "playlistUrl",
        segments_sha256_filename as "segmentsSha256Filename", segments_sha256_url as "segmentsSha256Url",
        array(
          select base_url from video_redundancy
          where streaming_playlist_id = s.id and (expires_at is null or expires_at > now()) order by id limit 20
        ) as copies
      from streaming_playlist s where video_id = v.id order by id
    ) p
  ), '[]') as playlists`

const tags = `coalesce((
    select json_agg(t.name order by t.name) from video_tag l join tag t on t.id = l.tag_id where l.video_id = v.id
  ), '[]') as tags`

/** Columns of `ManagementRow`, of the video `v`. */
export const managementColumns = `v.state, v.wait_transcoding as "waitTranscoding",
  (select wire_time(s.update_at) from video_schedule_update s where s.video_id = v.id) as "scheduledAt",
  (select s.privacy from video_schedule_update s where s.video_id = v.id) as "scheduledPrivacy",
  exists (select from video_blacklist b where b.video_id = v.id) as blacklisted,
  (select b.reason from video_blacklist b where b.video_id = v.id) as "blacklistedReason"`

const summaryStatement = `select ${columns} ${from} where v.id = any($1::int[])`

const detailsStatement = `select ${columns}, ${managementColumns}, v.support, ${tags},
  v.comments_policy as "commentsPolicy", v.download_enabled as "downloadEnabled",
  wire_time(v.input_file_updated_at) as "inputFileUpdatedAt", v.embed_privacy_policy as "embedPrivacyPolicy",
  ${fileColumns} ${from} where v.id = any($1::int[])`

/** What lists show of these videos. */
export const videoRows = (sql: SqlClient, ids: ReadonlyArray<number>) => sql.unsafe<VideoRow>(summaryStatement, [ids])

/** What the details show of these videos. */
export const videoDetailsRows = (sql: SqlClient, ids: ReadonlyArray<number>) =>
  sql.unsafe<VideoDetailsRow>(detailsStatement, [ids])

/** The files of a video, with what decides their addresses. */
export interface VideoFilesRow {
  readonly id: number
  readonly origin: string
  readonly uuid: string
  readonly name: string
  readonly privacy: number
  readonly remote: boolean
  readonly remoteTrackers: ReadonlyArray<string>
  readonly tags: ReadonlyArray<string>
  readonly files: ReadonlyArray<VideoFileRow>
  readonly playlists: ReadonlyArray<StreamingPlaylistRow>
}

const filesStatement = `select v.id, o.origin, v.uuid::text as uuid, v.name, v.privacy, v.remote, ${tags}, ${fileColumns}
  ${from} where v.id = any($1::int[])`

/** The files and tags of these videos, by id. */
export const videoFilesRows = (sql: SqlClient, ids: ReadonlyArray<number>) =>
  Effect.map(
    sql.unsafe<VideoFilesRow>(filesStatement, [ids]),
    (rows): ReadonlyMap<number, VideoFilesRow> => new Map(rows.map((row) => [row.id, row]))
  )
