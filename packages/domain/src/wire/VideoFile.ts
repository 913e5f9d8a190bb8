import { Schema } from "effect"
import { NullableString, NumberConstant, Timestamp, Url } from "./Scalars.ts"

/** What ffprobe said of a file: `streams`, `format` and `chapters` as it prints them. */
export const VideoFileMetadata = Schema.Struct({
  streams: Schema.Array(Schema.Unknown),
  format: Schema.Unknown,
  chapters: Schema.Array(Schema.Unknown)
}).annotate({ identifier: "VideoFileMetadata" })
export type VideoFileMetadata = typeof VideoFileMetadata.Type

/**
 * One file of a video (contract: VideoFile). `playlistUrl` is there for HLS renditions; `storage` 0 is the file system,
 * 1 an object store. A file without a torrent has none of its addresses.
 */
export const VideoFile = Schema.Struct({
  id: Schema.Int,
  resolution: NumberConstant,
  width: Schema.optionalKey(Schema.Int),
  height: Schema.optionalKey(Schema.Int),
  magnetUri: NullableString,
  size: Schema.Int,
  fps: Schema.Finite,
  torrentUrl: Schema.NullOr(Url),
  torrentDownloadUrl: Schema.NullOr(Url),
  fileUrl: Url,
  playlistUrl: Schema.optionalKey(Url),
  fileDownloadUrl: NullableString,
  metadataUrl: Schema.optionalKey(Url),
  metadata: Schema.optionalKey(VideoFileMetadata),
  hasAudio: Schema.Boolean,
  hasVideo: Schema.Boolean,
  storage: Schema.Literals([0, 1])
}).annotate({ identifier: "VideoFile" })
export type VideoFile = typeof VideoFile.Type

/** The HLS playlist of a video with its renditions (contract: VideoStreamingPlaylists; type 1 is HLS). */
export const VideoStreamingPlaylist = Schema.Struct({
  id: Schema.Int,
  type: Schema.Literal(1),
  playlistUrl: Url,
  segmentsSha256Url: Schema.NullOr(Url),
  redundancies: Schema.Array(Schema.Struct({ baseUrl: Url })),
  files: Schema.Array(VideoFile)
}).annotate({ identifier: "VideoStreamingPlaylist" })
export type VideoStreamingPlaylist = typeof VideoStreamingPlaylist.Type

/** The file a video was made from (contract: VideoSource); sizes are absent when they are not known. */
export const VideoSource = Schema.Struct({
  inputFilename: Schema.String,
  fileDownloadUrl: NullableString,
  resolution: Schema.optionalKey(NumberConstant),
  size: Schema.optionalKey(Schema.Int),
  fps: Schema.optionalKey(Schema.Finite),
  width: Schema.optionalKey(Schema.Int),
  height: Schema.optionalKey(Schema.Int),
  createdAt: Timestamp,
  metadata: Schema.optionalKey(VideoFileMetadata)
}).annotate({ identifier: "VideoSource" })
export type VideoSource = typeof VideoSource.Type
