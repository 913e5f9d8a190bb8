import type { VideoFile } from "@kinora/domain/wire/VideoFile"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { streamingPlaylists, webVideos } from "../../../video/read/VideoFileJson.ts"
import { opened } from "../../../video/read/VideoJson.ts"
import { videoFilesRows, type VideoFilesRow } from "../../../video/read/VideoRows.ts"
import type { ExportTask } from "./ExportTask.ts"
import type { SectionPage, SectionRow } from "./ExportSection.ts"

/**
 * The one file of a video that goes into an archive, as `bucket, name, size, extension`: the source if it was kept,
 * else the largest file with video and audio. No row if there is none.
 */
export const exportedFiles = (sql: SqlClient, videoId: Fragment) => sql`
  select bucket, name, size, has_audio, coalesce(substring(name from '\\.[A-Za-z0-9]{1,10}$'), '') as extension from (
    (select 'original_video_files' as bucket, s.filename as name, coalesce(s.size, 0) as size, 0 as worse, 0 as place,
      0 as resolution, true as has_audio
    from video_source s where s.video_id = ${videoId} and s.filename is not null
    order by s.created_at desc, s.id desc limit 1)
    union all
    select case when f.video_id is null then 'streaming_playlists' else 'web_videos' end
        || case when o.privacy in (3, 4, 5) then '_private' else '' end,
      case when f.video_id is null then o.uuid || '/' else '' end || f.filename, f.size,
      case when f.has_video and f.has_audio then 0 when f.has_video then 1 else 2 end,
      case when f.video_id is null then 2 else 1 end, f.resolution, f.has_audio
    from video o left join streaming_playlist l on l.video_id = o.id
      join video_file f on f.video_id = o.id or f.streaming_playlist_id = l.id
    where o.id = ${videoId} and f.filename is not null
  ) found order by worse, place = 0 desc, resolution desc, place limit 1
`

interface VideoSectionRow extends SectionRow {
  /** JSON text of how a live is published. Its key stays here: who imports it gets another. */
  readonly live: string | null
}

/** Videos without their files, which `filesOf` adds. */
const withoutFiles = (sql: SqlClient, task: ExportTask, after: number, limit: number) => sql<VideoSectionRow>`
  select v.id as cursor, (
      with pictures as (
        select t.width, t.height, wire_origin() || case t.type when 1 then '/lazy-static/thumbnails/'
            else '/lazy-static/previews/' end || t.filename as url,
          wire_time(t.created_at) as "createdAt", wire_time(t.updated_at) as "updatedAt"
        from thumbnail t where t.video_id = v.id and t.remote_url is null
      )
      select row_to_json(x)::text from (
        select v.uuid, wire_time(v.created_at) as "createdAt", wire_time(v.updated_at) as "updatedAt",
          wire_time(v.published_at) as "publishedAt", wire_time(v.originally_published_at) as "originallyPublishedAt",
          v.name, v.category, v.licence, v.language,
          array(select t.name::text from video_tag g join tag t on t.id = g.tag_id where g.video_id = v.id order by t.name)
            as tags,
          v.privacy,
          array(select w.password from video_password w where w.video_id = v.id order by w.id) as passwords,
          v.duration, v.description, v.support, v.is_live as "isLive", v.url, v.views, v.likes, v.dislikes, v.nsfw,
          v.nsfw_flags as "nsfwFlags", v.nsfw_summary as "nsfwSummary", v.comments_policy as "commentsPolicy",
          v.download_enabled as "downloadEnabled", json_build_object('name', r.preferred_username::text) as channel,
          v.wait_transcoding as "waitTranscoding", v.state,
          (select url from pictures order by width limit 1) as "thumbnailUrl",
          (select url from pictures order by width desc limit 1) as "previewUrl",
          (select coalesce(json_agg(row_to_json(p) order by p.width desc), '[]') from pictures p) as thumbnails,
          (select coalesce(json_agg(json_build_object(
              'createdAt', wire_time(c.created_at), 'updatedAt', wire_time(c.updated_at), 'language', c.language,
              'filename', c.filename, 'fileUrl', wire_origin() || '/lazy-static/video-captions/' || c.filename,
              'automaticallyGenerated', c.automatically_generated
            ) order by c.language), '[]') from video_caption c where c.video_id = v.id) as captions,
          (select coalesce(json_agg(json_build_object('timecode', h.timecode, 'title', h.title) order by h.timecode), '[]')
            from video_chapter h where h.video_id = v.id) as chapters,
          (select json_build_object('inputFilename', s.input_filename, 'resolution', s.resolution, 'size', s.size,
              'width', s.width, 'height', s.height, 'fps', s.fps, 'metadata', s.metadata)
            from video_source s where s.video_id = v.id order by s.created_at desc, s.id desc limit 1) as source,
          json_build_object('theme', v.player_theme) as "playerSettings",
          json_build_object('policy', v.embed_privacy_policy, 'domains', array(
            select d.domain from video_embed_domain d where d.video_id = v.id order by d.domain
          )) as "videoEmbedPrivacy",
          json_build_object(
            'videoFile', '../files/videos/video-files/' || v.uuid || e.extension,
            'thumbnail', case when n.filename is not null then '../files/videos/thumbnails/' || v.uuid || '.jpg' end,
            'captions', (select coalesce(
              json_object_agg(c.language, '../files/videos/captions/' || v.uuid || '-' || c.language || '.vtt'), '{}'
            ) from video_caption c where c.video_id = v.id and c.remote_url is null)
          ) as "archiveFiles"
      ) x
    ) as item,
    case when v.is_live then (
      select json_strip_nulls(json_build_object(
        'saveReplay', l.save_replay, 'permanentLive', l.permanent, 'latencyMode', l.latency_mode, 'dvrWindow', l.dvr_window,
        'replaySettings', case when l.replay_privacy is not null then json_build_object('privacy', l.replay_privacy) end,
        'schedules', (
          select coalesce(json_agg(json_build_object('startAt', wire_time(s.start_at)) order by s.start_at), '[]')
          from live_schedule s where s.video_id = v.id
        )
      ))::text from live_video l where l.video_id = v.id
    ) end as live,
    (select coalesce(json_agg(json_build_object('bucket', bucket, 'name', name, 'as', path, 'audio', audio)), '[]') from (
      select e.bucket, e.name, 'videos/video-files/' || v.uuid || e.extension as path, s.name as audio
      from (values (1)) x left join lateral (
        select v.uuid || '/' || f.filename as name from streaming_playlist l join video_file f on f.streaming_playlist_id = l.id
        where l.video_id = v.id and f.has_audio and not f.has_video and not e.has_audio and f.filename is not null
        order by f.resolution desc, f.id limit 1
      ) s on true where e.name is not null
      union all
      select 'thumbnails', n.filename, 'videos/thumbnails/' || v.uuid || '.jpg', null where n.filename is not null
      union all
      select 'captions', c.filename, 'videos/captions/' || v.uuid || '-' || c.language || '.vtt', null
      from video_caption c where c.video_id = v.id and c.remote_url is null
    ) held) as files
  from video v join video_channel vc on vc.id = v.channel_id join actor r on r.id = vc.actor_id
    left join lateral (
      select bucket, name, extension, has_audio from (${exportedFiles(sql, sql`v.id`)}) f where ${task.withVideoFiles}
    ) e on true
    left join lateral (
      select t.filename from thumbnail t where t.video_id = v.id and t.remote_url is null order by t.width desc limit 1
    ) n on true
  where v.account_id = ${task.accountId} and not v.remote and v.id > ${after} order by v.id limit ${limit}
`

const exportedFile = ({ fileUrl, fps, resolution, size, torrentUrl }: typeof VideoFile.Encoded) => ({
  resolution: resolution.id,
  size,
  fps,
  torrentUrl,
  fileUrl
})

/** The files of a video as members of its item. */
const filesOf = (row: VideoFilesRow) => ({
  files: webVideos(row, row.files).map(exportedFile),
  streamingPlaylists: streamingPlaylists(row, row.playlists, row.files).map(
    ({ files, playlistUrl, segmentsSha256Url, type }) => ({
      type,
      playlistUrl,
      segmentsSha256Url,
      files: files.map(exportedFile)
    })
  )
})

/** Videos of the user with their files, thumbnails and captions (contract: VideoExportJSON). */
export const videos: SectionPage = Effect.fnUntraced(function* (sql, task, after, limit) {
  const rows = yield* withoutFiles(sql, task, after, limit)
  const files = yield* videoFilesRows(
    sql,
    rows.map(({ cursor }) => cursor)
  )
  return rows.map(({ live, ...row }) => {
    const found = files.get(row.cursor)
    const members = found === undefined ? { files: [], streamingPlaylists: [] } : filesOf(found)
    return {
      ...row,
      item: `${row.item.slice(0, -1)},${opened(members).slice(1)}${live === null ? "" : `,"live":${live}`}}`
    }
  })
})
