import { isFileName, type MovingStep, times } from "./MovingStep.ts"

const sources: MovingStep = {
  name: "videoSource",
  table: "videoSource",
  columns: {
    ...{ id: "integer", inputFilename: "text", filename: "text", keptOriginalFilename: "text", resolution: "integer" },
    ...{ width: "integer", height: "integer", fps: "double precision", size: "bigint", metadata: "jsonb" },
    ...{ videoId: "integer", ...times }
  },
  dropped: ["storage", "fileUrl"],
  write: (rows) => [
    `insert into video_source (id, video_id, input_filename, filename, size, width, height, resolution, fps, metadata, created_at,
       updated_at) overriding system value
     select r.id, v.id, coalesce(r."inputFilename", r.filename, 'unknown'),
       case when ${isFileName('r."keptOriginalFilename"')} then r."keptOriginalFilename" end, r.size, r.width, r.height,
       r.resolution, r.fps, r.metadata, r."createdAt", r."updatedAt"
     from ${rows} join video v on v.id = r."videoId" on conflict do nothing returning 1`
  ]
}

const playlists: MovingStep = {
  name: "videoStreamingPlaylist",
  table: "videoStreamingPlaylist",
  columns: {
    ...{
      id: "integer",
      type: "integer",
      playlistFilename: "text",
      playlistUrl: "text",
      segmentsSha256Filename: "text"
    },
    ...{ segmentsSha256Url: "text", videoId: "integer", ...times }
  },
  dropped: ["p2pMediaLoaderInfohashes", "p2pMediaLoaderPeerVersion", "storage"],
  write: (rows) => [
    `insert into streaming_playlist (id, video_id, type, playlist_filename, playlist_url, segments_sha256_filename,
       segments_sha256_url, created_at, updated_at) overriding system value
     select r.id, v.id, 1, case when not v.remote then r."playlistFilename" end, case when v.remote then r."playlistUrl" end,
       case when not v.remote then r."segmentsSha256Filename" end, case when v.remote then r."segmentsSha256Url" end,
       r."createdAt", r."updatedAt"
     from ${rows} join video v on v.id = r."videoId"
     where r.type = 1 and case when v.remote then r."playlistUrl" is not null else ${isFileName('r."playlistFilename"')} end
     on conflict do nothing returning 1`
  ]
}

/** Name of the playlist of a rendition, which lies beside its file. */
export const renditionPlaylist = (filename: string): string =>
  `case when ${filename} ~ '-fragmented\\.[a-z0-9]+$' then regexp_replace(${filename}, '-fragmented\\.[a-z0-9]+$', '.m3u8') end`

const files: MovingStep = {
  name: "videoFile",
  table: "videoFile",
  columns: {
    ...{ id: "integer", resolution: "integer", width: "integer", height: "integer", size: "bigint", extname: "text" },
    ...{ infoHash: "text", fps: "double precision", streams: "integer", metadata: "jsonb", metadataUrl: "text" },
    ...{ fileUrl: "text", filename: "text", torrentUrl: "text", torrentFilename: "text", videoId: "integer" },
    ...{ videoStreamingPlaylistId: "integer", ...times }
  },
  dropped: ["formatFlags", "storage"],
  write: (rows) => [
    `insert into video_file (id, video_id, streaming_playlist_id, resolution, width, height, fps, size, extname, filename, file_url,
       playlist_filename, torrent_filename, torrent_url, info_hash, has_audio, has_video, metadata, metadata_url, created_at,
       updated_at) overriding system value
     select r.id, case when p.id is null then v.id end, p.id, r.resolution, r.width, r.height, greatest(coalesce(r.fps, 0), 0),
       greatest(r.size, 0), r.extname, case when not v.remote then r.filename end, case when v.remote then r."fileUrl" end,
       case when p.id is not null and not v.remote then ${renditionPlaylist("r.filename")} end,
       case when not v.remote and ${isFileName('r."torrentFilename"')} then r."torrentFilename" end,
       case when v.remote then r."torrentUrl" end, r."infoHash", coalesce(r.streams & 2 <> 0, true),
       coalesce(r.streams & 1 <> 0, r.resolution > 0), r.metadata, case when v.remote then r."metadataUrl" end, r."createdAt",
       r."updatedAt"
     from ${rows} left join streaming_playlist p on p.id = r."videoStreamingPlaylistId"
       join video v on v.id = coalesce(p.video_id, r."videoId")
     where (r."videoStreamingPlaylistId" is null or p.id is not null)
       and case when v.remote then r."fileUrl" is not null else ${isFileName("r.filename")} end
     on conflict do nothing returning 1`
  ]
}

const thumbnailColumns: MovingStep["columns"] = {
  ...{ id: "integer", filename: "text", height: "integer", width: "integer", type: "integer", fileUrl: "text" },
  ...{ automaticallyGenerated: "boolean", videoId: "integer", videoPlaylistId: "integer", ...times }
}

const ofOwner = (remote: string) =>
  `case when ${remote} then r."fileUrl" is not null else ${isFileName("r.filename")} end`
const nameOf = (remote: string) => `case when ${remote} then gen_random_uuid() || '.jpg' else r.filename end`
const addressOf = (remote: string) => `case when ${remote} then r."fileUrl" end`

const thumbnails: MovingStep = {
  name: "thumbnail",
  table: "thumbnail",
  columns: thumbnailColumns,
  dropped: ["onDisk"],
  select: { tables: ["thumbnail"], text: `select * from public.thumbnail where "videoId" is not null` },
  write: (rows) => [
    `insert into thumbnail (id, video_id, type, filename, width, height, automatically_generated, remote_url, created_at,
       updated_at) overriding system value
     select r.id, v.id, coalesce(r.type, case when r.width > 400 then 2 else 1 end), ${nameOf("v.remote")},
       coalesce(r.width, case r.type when 1 then 280 else 850 end), coalesce(r.height, case r.type when 1 then 157 else 480 end),
       coalesce(r."automaticallyGenerated", true), ${addressOf("v.remote")}, r."createdAt", r."updatedAt"
     from ${rows} join video v on v.id = r."videoId" where ${ofOwner("v.remote")} on conflict do nothing returning 1`
  ]
}

/** Runs after the playlists. Pictures that the old program took from a video are made of it here, too, when they are shown. */
export const playlistThumbnails: MovingStep = {
  name: "thumbnail of playlists",
  table: "thumbnail",
  columns: thumbnailColumns,
  dropped: ["onDisk"],
  select: {
    tables: ["thumbnail"],
    text: `select * from public.thumbnail t where "videoPlaylistId" is not null
      and coalesce((to_jsonb(t) ->> 'automaticallyGenerated')::boolean, false) is false`
  },
  write: (rows) => [
    `insert into video_playlist_thumbnail (playlist_id, filename, width, height, remote_url, created_at)
     select p.id, ${nameOf("p.remote")}, coalesce(r.width, 280), coalesce(r.height, 157), ${addressOf("p.remote")}, r."createdAt"
     from ${rows} join video_playlist p on p.id = r."videoPlaylistId" where ${ofOwner("p.remote")}
     on conflict do nothing returning 1`
  ]
}

const storyboards: MovingStep = {
  name: "storyboard",
  table: "storyboard",
  columns: {
    ...{ id: "integer", filename: "text", totalHeight: "integer", totalWidth: "integer", spriteHeight: "integer" },
    ...{ spriteWidth: "integer", spriteDuration: "integer", fileUrl: "text", videoId: "integer", ...times }
  },
  write: (rows) => [
    `insert into storyboard (id, video_id, filename, total_width, total_height, sprite_width, sprite_height, sprite_duration,
       remote_url, created_at) overriding system value
     select r.id, v.id, ${nameOf("v.remote")}, r."totalWidth", r."totalHeight", r."spriteWidth", r."spriteHeight",
       r."spriteDuration", ${addressOf("v.remote")}, r."createdAt"
     from ${rows} join video v on v.id = r."videoId" where ${ofOwner("v.remote")} on conflict do nothing returning 1`
  ]
}

const captions: MovingStep = {
  name: "videoCaption",
  table: "videoCaption",
  columns: {
    ...{ id: "integer", language: "text", filename: "text", fileUrl: "text", automaticallyGenerated: "boolean" },
    ...{ videoId: "integer", ...times }
  },
  dropped: ["storage"],
  write: (rows) => [
    `insert into video_caption (id, video_id, language, filename, automatically_generated, remote_url, created_at, updated_at)
       overriding system value
     select r.id, v.id, r.language, case when v.remote then gen_random_uuid() || '-' || r.language || '.vtt' else r.filename end,
       coalesce(r."automaticallyGenerated", false), ${addressOf("v.remote")}, r."createdAt", r."updatedAt"
     from ${rows} join video v on v.id = r."videoId" where ${ofOwner("v.remote")} on conflict do nothing returning 1`
  ]
}

const copies: MovingStep = {
  name: "videoRedundancy",
  table: "videoRedundancy",
  columns: {
    ...{ id: "integer", expiresOn: "timestamptz", fileUrl: "text", url: "text", strategy: "text" },
    ...{ videoFileId: "integer", videoStreamingPlaylistId: "integer", actorId: "integer", ...times }
  },
  write: (rows) => [
    `insert into video_redundancy (id, video_id, streaming_playlist_id, actor_id, url, base_url, expires_at, created_at, updated_at)
       overriding system value
     select r.id, p.video_id, p.id, a.id, r.url, r."fileUrl", r."expiresOn", r."createdAt", r."updatedAt"
     from ${rows} join streaming_playlist p on p.id = r."videoStreamingPlaylistId" join actor a on a.id = r."actorId"
     where r.strategy is null and a.server_id is not null on conflict do nothing returning 1`
  ]
}

export const videoFileSteps: ReadonlyArray<MovingStep> = [
  ...[sources, playlists, files, thumbnails, storyboards, captions, copies]
]
