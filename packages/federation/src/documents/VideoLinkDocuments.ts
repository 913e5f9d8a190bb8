import { Schema } from "effect"

const videoMediaTypes = ["video/mp4", "video/webm", "video/ogg", "audio/mp4"] as const
export type VideoMediaType = (typeof videoMediaTypes)[number]

const Link = Schema.Literal("Link")

/** Height and width in pixels, frames in a second. */
const resolution = { height: Schema.Int, width: Schema.NullOr(Schema.Int), fps: Schema.Finite }

/** A file of a video (contract: ActivityVideoUrlObject). */
const FileLink = Schema.Struct({
  type: Link,
  mediaType: Schema.Literals(videoMediaTypes),
  href: Schema.String,
  height: resolution.height,
  width: resolution.width,
  /** Bytes. */
  size: Schema.Natural,
  fps: resolution.fps,
  /** Which streams it has, and whether it is for streaming. */
  attachment: Schema.Array(
    Schema.Struct({
      type: Schema.Literal("PropertyValue"),
      name: Schema.Literals(["ffprobe_codec_type", "peertube_format_flag"]),
      value: Schema.Literals(["audio", "video", "web-video", "fragmented"])
    })
  )
})

/** What is known of a file (contract: ActivityVideoFileMetadataUrlObject). */
const MetadataLink = Schema.Struct({
  type: Link,
  rel: Schema.Tuple([Schema.Literal("metadata"), Schema.Literals(videoMediaTypes)]),
  mediaType: Schema.Literal("application/json"),
  href: Schema.String,
  ...resolution
})

/** The torrent of a file (contract: ActivityBitTorrentUrlObject, ActivityMagnetUrlObject). */
const TorrentLink = Schema.Struct({
  type: Link,
  mediaType: Schema.Literals(["application/x-bittorrent", "application/x-bittorrent;x-scheme-handler/magnet"]),
  href: Schema.String,
  ...resolution
})

/** Hashes of the segments of a streaming playlist (contract: ActivityPlaylistSegmentHashesObject). */
const SegmentHashesLink = Schema.Struct({
  type: Link,
  name: Schema.Literal("sha256"),
  mediaType: Schema.Literal("application/json"),
  href: Schema.String
})

/** Links of one file. */
export const FileLinks = Schema.Union([FileLink, MetadataLink, TorrentLink])
export type FileLinks = typeof FileLinks.Type

/** A streaming playlist with the links of its files (contract: ActivityPlaylistUrlObject). */
export const StreamingPlaylistLink = Schema.Struct({
  type: Link,
  mediaType: Schema.Literal("application/x-mpegURL"),
  href: Schema.String,
  tag: Schema.Array(Schema.Union([SegmentHashesLink, FileLinks]))
})
export type StreamingPlaylistLink = typeof StreamingPlaylistLink.Type

/** A page that shows the video (contract: ActivityHtmlUrlObject). */
const PageLink = Schema.Struct({ type: Link, mediaType: Schema.Literal("text/html"), href: Schema.String })

/** A tracker of the torrents (contract: ActivityTrackerUrlObject). */
const TrackerLink = Schema.Struct({
  type: Link,
  name: Schema.Literals(["tracker-http", "tracker-websocket"]),
  rel: Schema.Tuple([Schema.Literal("tracker"), Schema.Literals(["http", "websocket"])]),
  href: Schema.String
})

/** The member `url` of a video. */
export const VideoLink = Schema.Union([PageLink, FileLinks, StreamingPlaylistLink, TrackerLink])
export type VideoLink = typeof VideoLink.Type
