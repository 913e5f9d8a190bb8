import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { NewRemoteFile, NewRemoteVideo } from "./NewRemoteVideo.ts"

/** A row of `video`, and what its parts become. */
export interface VideoParts {
  readonly id: number
  readonly video: NewRemoteVideo
}

type Kind = "files" | "pictures" | "storyboard" | "captions" | "tags" | "schedules"
const kinds: ReadonlyArray<Kind> = ["files", "pictures", "storyboard", "captions", "tags", "schedules"]

const json = (rows: ReadonlyArray<unknown>) => JSON.stringify(rows)

/** Files, pictures, captions, tags and announced times of videos of other instances: of many videos as of one. */
export const remoteVideoParts = (sql: SqlClient) => {
  const addFiles = Effect.fnUntraced(function* (parts: ReadonlyArray<VideoParts>) {
    const playlists = parts.flatMap(({ id, video: { hls } }) =>
      hls === null ? [] : [{ id, ...hls, files: undefined }]
    )
    const made =
      playlists.length === 0
        ? []
        : yield* sql<{ id: number; videoId: number }>`
            insert into streaming_playlist (video_id, playlist_url, segments_sha256_url)
            select g.id, g.url, g."segmentsUrl"
            from jsonb_to_recordset(${json(playlists)}::text::jsonb) g (id integer, url text, "segmentsUrl" text)
            order by g.id returning id, video_id as "videoId"`
    const playlistOf = new Map(made.map(({ id, videoId }) => [videoId, id]))
    const rows: Array<NewRemoteFile & { readonly video: number | null; readonly playlist: number | null }> = []
    for (const { id, video } of parts) {
      for (const file of video.files) rows.push({ ...file, video: id, playlist: null })
      for (const file of video.hls?.files ?? []) rows.push({ ...file, video: null, playlist: playlistOf.get(id)! })
    }
    if (rows.length === 0) return
    yield* sql`
      insert into video_file (video_id, streaming_playlist_id, file_url, extname, resolution, width, height, size, fps,
        has_audio, has_video, metadata_url, torrent_url, info_hash)
      select f.video, f.playlist, f.url, f.extension, f.resolution, f.width, f.height, f.size, f.fps, f."hasAudio",
        f."hasVideo", f."metadataUrl", f."torrentUrl", f."infoHash"
      from rows from (jsonb_to_recordset(${json(rows)}::text::jsonb) as (video integer, playlist integer, url text,
        extension text, resolution integer, width integer, height integer, size bigint, fps real, "hasAudio" boolean,
        "hasVideo" boolean, "metadataUrl" text, "torrentUrl" text, "infoHash" text)) with ordinality
        as f (video, playlist, url, extension, resolution, width, height, size, fps, "hasAudio", "hasVideo",
          "metadataUrl", "torrentUrl", "infoHash", nth) order by f.nth`
  })

  const addPictures = Effect.fnUntraced(function* (parts: ReadonlyArray<VideoParts>) {
    const rows = parts.flatMap(({ id, video }) => video.pictures.map((it) => ({ id, ...it })))
    if (rows.length === 0) return
    yield* sql`
      insert into thumbnail (video_id, type, filename, width, height, remote_url)
      select t.id, t.type, gen_random_uuid() || '.jpg', t.width, t.height, t.url
      from rows from (jsonb_to_recordset(${json(rows)}::text::jsonb) as (id integer, type smallint, width integer,
        height integer, url text)) with ordinality as t (id, type, width, height, url, nth) order by t.nth`
  })

  const addStoryboards = Effect.fnUntraced(function* (parts: ReadonlyArray<VideoParts>) {
    const rows = parts.flatMap(({ id, video: { storyboard } }) => (storyboard === null ? [] : [{ id, ...storyboard }]))
    if (rows.length === 0) return
    yield* sql`
      insert into storyboard (video_id, filename, total_width, total_height, sprite_width, sprite_height,
        sprite_duration, remote_url)
      select b.id, gen_random_uuid() || '.jpg', b.width, b.height, b."tileWidth", b."tileHeight", b."tileSeconds", b.url
      from jsonb_to_recordset(${json(rows)}::text::jsonb) b (id integer, width integer, height integer,
        "tileWidth" integer, "tileHeight" integer, "tileSeconds" integer, url text) order by b.id`
  })

  const addCaptions = Effect.fnUntraced(function* (parts: ReadonlyArray<VideoParts>) {
    const rows = parts.flatMap(({ id, video }) => video.captions.map((it) => ({ id, ...it })))
    if (rows.length === 0) return
    yield* sql`
      insert into video_caption (video_id, language, filename, automatically_generated, remote_url)
      select c.id, c.language, gen_random_uuid() || '-' || c.language || '.vtt', c."automaticallyGenerated", c.url
      from rows from (jsonb_to_recordset(${json(rows)}::text::jsonb) as (id integer, language text,
        "automaticallyGenerated" boolean, url text)) with ordinality
        as c (id, language, "automaticallyGenerated", url, nth) order by c.nth`
  })

  /** Adds those that a video lacks: one that is there already stays. */
  const addTags = Effect.fnUntraced(function* (parts: ReadonlyArray<VideoParts>) {
    const rows = parts.flatMap(({ id, video }) => video.tags.map((name) => ({ id, name })))
    if (rows.length === 0) return
    const ids = rows.map(({ id }) => id)
    const names = rows.map(({ name }) => name)
    yield* sql`
      insert into tag (name)
      select distinct n.name from unnest(${names}::text[]::citext[]) n (name)
      where not exists (select from tag t where t.name = n.name) order by 1
      on conflict (name) do nothing`
    yield* sql`
      insert into video_tag (video_id, tag_id)
      select distinct g.id, t.id from unnest(${ids}::integer[], ${names}::text[]) g (id, name)
        join tag t on t.name = g.name::citext
      order by 1, 2 on conflict do nothing`
  })

  const addSchedules = Effect.fnUntraced(function* (parts: ReadonlyArray<VideoParts>) {
    const rows = parts.flatMap(({ id, video }) => video.schedules.map((at) => ({ id, at })))
    if (rows.length === 0) return
    yield* sql`
      insert into live_schedule (video_id, start_at)
      select l.id, l.at from jsonb_to_recordset(${json(rows)}::text::jsonb) l (id integer, at timestamptz) order by 1, 2`
  })

  const adding = {
    files: addFiles,
    pictures: addPictures,
    storyboard: addStoryboards,
    captions: addCaptions,
    tags: addTags,
    schedules: addSchedules
  } satisfies Record<Kind, unknown>

  const removing = {
    files: (ids: ReadonlyArray<number>) =>
      Effect.andThen(
        sql`delete from video_file where video_id = any(${ids}::integer[])`,
        sql`delete from streaming_playlist where video_id = any(${ids}::integer[])`
      ),
    pictures: (ids: ReadonlyArray<number>) => sql`delete from thumbnail where video_id = any(${ids}::integer[])`,
    storyboard: (ids: ReadonlyArray<number>) => sql`delete from storyboard where video_id = any(${ids}::integer[])`,
    captions: (ids: ReadonlyArray<number>) => sql`delete from video_caption where video_id = any(${ids}::integer[])`,
    schedules: (ids: ReadonlyArray<number>) => sql`delete from live_schedule where video_id = any(${ids}::integer[])`,
    tags: (_ids: ReadonlyArray<number>, parts: ReadonlyArray<VideoParts>) => {
      const wanted = parts.map(({ id, video }) => ({ id, tags: video.tags }))
      return sql`
        delete from video_tag vt using tag t, jsonb_to_recordset(${json(wanted)}::text::jsonb) g (id integer, tags citext[])
        where vt.video_id = g.id and t.id = vt.tag_id and t.name <> all(g.tags)`
    }
  } satisfies Record<Kind, unknown>

  const fileJson = sql`
    jsonb_build_object('url', f.file_url, 'extension', f.extname, 'resolution', f.resolution, 'width', f.width,
      'height', f.height, 'size', f.size, 'fps', f.fps, 'hasAudio', f.has_audio, 'hasVideo', f.has_video,
      'metadataUrl', f.metadata_url, 'torrentUrl', f.torrent_url, 'infoHash', f.info_hash)`

  /** Which parts are kept otherwise than they are given. */
  const differing = (parts: ReadonlyArray<VideoParts>) => {
    const given = parts.map(({ id, video: { captions, files, hls, pictures, schedules, storyboard, tags } }) => ({
      ...{ id, tags, schedules, doc: { captions, files, hls, pictures, storyboard } }
    }))
    return sql<{ readonly id: number } & { readonly [kind in Kind]: boolean }>`
      select g.id,
        g.doc->'files' <> web.files or g.doc->'hls' <> coalesce((
          select jsonb_build_object('url', p.playlist_url, 'segmentsUrl', p.segments_sha256_url, 'files', (
            select coalesce(jsonb_agg(${fileJson} order by f.id), '[]') from video_file f
            where f.streaming_playlist_id = p.id))
          from streaming_playlist p where p.video_id = g.id), 'null') as files,
        g.doc->'pictures' <> (
          select coalesce(jsonb_agg(
            jsonb_build_object('type', type, 'url', remote_url, 'width', width, 'height', height) order by t.id), '[]')
          from thumbnail t where t.video_id = g.id) as pictures,
        g.doc->'storyboard' <> coalesce((
          select jsonb_build_object('url', remote_url, 'width', total_width, 'height', total_height,
            'tileWidth', sprite_width, 'tileHeight', sprite_height, 'tileSeconds', sprite_duration)
          from storyboard s where s.video_id = g.id), 'null') as storyboard,
        g.doc->'captions' <> (
          select coalesce(jsonb_agg(jsonb_build_object('language', language,
            'automaticallyGenerated', automatically_generated, 'url', remote_url) order by c.id), '[]')
          from video_caption c where c.video_id = g.id) as captions,
        array(select distinct n::citext from unnest(g.tags) n order by 1) <> array(
          select t.name from video_tag vt join tag t on t.id = vt.tag_id where vt.video_id = g.id order by 1) as tags,
        g.schedules <> array(select start_at from live_schedule l where l.video_id = g.id order by 1) as schedules
      from jsonb_to_recordset(${json(given)}::text::jsonb) g (id integer, doc jsonb, tags text[], schedules timestamptz[]),
        lateral (
          select coalesce(jsonb_agg(${fileJson} order by f.id), '[]') as files from video_file f
          where f.video_id = g.id
        ) web`
  }

  return {
    /** Gives videos that have none yet their parts. */
    add: Effect.fnUntraced(function* (parts: ReadonlyArray<VideoParts>) {
      for (const kind of kinds) yield* adding[kind](parts)
    }),
    /** Replaces what is given otherwise than it is kept; all else is left as it is. */
    replace: Effect.fnUntraced(function* (parts: ReadonlyArray<VideoParts>) {
      const changes = new Map((yield* differing(parts)).map((row) => [row.id, row]))
      for (const kind of kinds) {
        const changed = parts.filter(({ id }) => changes.get(id)?.[kind] === true)
        if (changed.length === 0) continue
        yield* removing[kind](
          changed.map(({ id }) => id),
          changed
        )
        yield* adding[kind](changed)
      }
    })
  }
}
