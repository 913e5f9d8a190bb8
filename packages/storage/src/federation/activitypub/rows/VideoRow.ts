import { Schema } from "effect"
import { Picture } from "./Picture.ts"

/** A file of a video. Sizes are in pixels and bytes. */
const File = Schema.Struct({
  id: Schema.Int,
  width: Schema.NullOr(Schema.Int),
  height: Schema.Int,
  fps: Schema.Finite,
  size: Schema.Natural,
  extname: Schema.String,
  filename: Schema.NullOr(Schema.String),
  fileUrl: Schema.NullOr(Schema.String),
  metadataUrl: Schema.NullOr(Schema.String),
  torrentFilename: Schema.NullOr(Schema.String),
  infoHash: Schema.NullOr(Schema.String),
  hasAudio: Schema.Boolean,
  hasVideo: Schema.Boolean
})
export type VideoFileRow = typeof File.Type

const Caption = Schema.Struct({
  language: Schema.String,
  filename: Schema.String,
  automaticallyGenerated: Schema.Boolean,
  remoteUrl: Schema.NullOr(Schema.String)
})

const Storyboard = Schema.Struct({
  filename: Schema.String,
  remoteUrl: Schema.NullOr(Schema.String),
  totalWidth: Schema.Int,
  totalHeight: Schema.Int,
  spriteWidth: Schema.Int,
  spriteHeight: Schema.Int,
  /** Seconds. */
  spriteDuration: Schema.Int
})

const StreamingPlaylist = Schema.Struct({
  playlistFilename: Schema.NullOr(Schema.String),
  playlistUrl: Schema.NullOr(Schema.String),
  segmentsSha256Filename: Schema.NullOr(Schema.String),
  segmentsSha256Url: Schema.NullOr(Schema.String)
})

/** How a live is published. The window is in seconds. */
const Live = Schema.Struct({
  saveReplay: Schema.Boolean,
  permanent: Schema.Boolean,
  latencyMode: Schema.Int,
  dvrWindow: Schema.Int,
  schedules: Schema.Array(Schema.String)
})

/** A video, with everything that its ActivityPub object is made of. */
export const VideoRow = Schema.Struct({
  id: Schema.Int,
  url: Schema.String,
  uuid: Schema.String,
  name: Schema.String,
  isPublic: Schema.Boolean,
  /** Seconds. */
  duration: Schema.Int,
  category: Schema.NullOr(Schema.Int),
  licence: Schema.NullOr(Schema.Int),
  language: Schema.NullOr(Schema.String),
  views: Schema.Int,
  downloads: Schema.Int,
  nsfw: Schema.Boolean,
  nsfwFlags: Schema.Int,
  nsfwSummary: Schema.NullOr(Schema.String),
  waitTranscoding: Schema.Boolean,
  state: Schema.Int,
  commentsPolicy: Schema.Int,
  downloadEnabled: Schema.Boolean,
  embedPrivacyPolicy: Schema.Int,
  publishedAt: Schema.Date,
  originallyPublishedAt: Schema.NullOr(Schema.Date),
  updatedAt: Schema.Date,
  inputFileUpdatedAt: Schema.NullOr(Schema.Date),
  description: Schema.NullOr(Schema.String),
  support: Schema.NullOr(Schema.String),
  aspectRatio: Schema.NullOr(Schema.Finite),
  isLive: Schema.Boolean,
  /** Null: it is none, or one of another instance. */
  live: Schema.NullOr(Live),
  accountUrl: Schema.String,
  channelUrl: Schema.String,
  tags: Schema.Array(Schema.String),
  captions: Schema.Array(Caption),
  /** The narrowest first. Type 1 is the thumbnail, type 2 the preview. */
  thumbnails: Schema.Array(Schema.Struct({ ...Picture.fields, type: Schema.Int })),
  storyboard: Schema.NullOr(Storyboard),
  /** Null: there is none that can be played. */
  streamingPlaylist: Schema.NullOr(StreamingPlaylist),
  /** The highest resolution first. */
  webFiles: Schema.Array(File),
  hlsFiles: Schema.Array(File),
  /** Of the row that keeps the finished text; null while no text can be kept. See `KeptVideoObjects.keep`. */
  version: Schema.NullOr(Schema.String)
})
export type VideoRow = typeof VideoRow.Type

const listOf = (rows: string): string => `(select coalesce(json_agg(r), '[]') from (${rows}) r)`

const files = (condition: string): string =>
  listOf(`
    select f.id, f.width, coalesce(f.height, f.resolution) as height, f.fps, f.size, f.extname, f.filename,
      f.file_url as "fileUrl", f.metadata_url as "metadataUrl", f.torrent_filename as "torrentFilename",
      f.info_hash as "infoHash", f.has_audio as "hasAudio", f.has_video as "hasVideo"
    from video_file f where ${condition} order by f.resolution desc, f.fps desc, f.id`)

/** Selects `VideoRow` of the videos `v` that meet a condition. */
export const selectVideos = (condition: string): string => `
  select v.id, v.url, v.uuid, v.name, v.privacy = 1 as "isPublic", v.duration, v.category, v.licence, v.language,
    v.views, v.downloads, v.nsfw, v.nsfw_flags as "nsfwFlags", v.nsfw_summary as "nsfwSummary",
    v.wait_transcoding as "waitTranscoding", v.state, v.comments_policy as "commentsPolicy",
    v.download_enabled as "downloadEnabled", v.embed_privacy_policy as "embedPrivacyPolicy",
    v.published_at as "publishedAt", v.originally_published_at as "originallyPublishedAt",
    v.updated_at as "updatedAt", v.input_file_updated_at as "inputFileUpdatedAt", v.description, v.support,
    round(v.aspect_ratio::numeric, 4)::float8 as "aspectRatio", v.is_live as "isLive",
    case when v.is_live then (
      select json_build_object('saveReplay', l.save_replay, 'permanent', l.permanent, 'latencyMode', l.latency_mode,
        'dvrWindow', l.dvr_window, 'schedules', array(
          select wire_time(s.start_at) from live_schedule s where s.video_id = l.video_id order by s.start_at
        ))
      from live_video l where l.video_id = v.id
    ) end as live,
    ow.url as "accountUrl", ch.url as "channelUrl",
    array(
      select t.name::text from video_tag l join tag t on t.id = l.tag_id where l.video_id = v.id order by t.name
    ) as tags,
    ${listOf(`
      select c.language, c.filename,
        c.automatically_generated as "automaticallyGenerated", c.remote_url as "remoteUrl"
      from video_caption c where c.video_id = v.id order by c.language`)} as captions,
    ${listOf(`
      select t.type, t.filename, t.width, t.height, t.remote_url as "remoteUrl"
      from thumbnail t where t.video_id = v.id order by t.width, t.id`)} as thumbnails,
    (
      select row_to_json(b) from (
        select s.filename, s.remote_url as "remoteUrl", s.total_width as "totalWidth", s.total_height as "totalHeight",
          s.sprite_width as "spriteWidth", s.sprite_height as "spriteHeight", s.sprite_duration as "spriteDuration"
        from storyboard s where s.video_id = v.id
      ) b
    ) as storyboard,
    case when p.playlist_filename is not null or p.playlist_url is not null then json_build_object(
      'playlistFilename', p.playlist_filename, 'playlistUrl', p.playlist_url,
      'segmentsSha256Filename', p.segments_sha256_filename, 'segmentsSha256Url', p.segments_sha256_url
    ) end as "streamingPlaylist",
    ${files("f.video_id = v.id")} as "webFiles",
    ${files("f.streaming_playlist_id = p.id")} as "hlsFiles",
    k.xmin::text as version
  from video v
    join account w on w.id = v.account_id join actor ow on ow.id = w.actor_id
    join video_channel h on h.id = v.channel_id join actor ch on ch.id = h.actor_id
    left join streaming_playlist p on p.video_id = v.id
    left join video_read_model k on k.video_id = v.id and k.summary is not null and k.details is not null
  where ${condition}`
