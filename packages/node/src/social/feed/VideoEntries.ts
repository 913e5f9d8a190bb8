import type { VideoDetails } from "@kinora/domain/wire/Video"
import type { VideoFile } from "@kinora/domain/wire/VideoFile"
import type { FeedVideoRow } from "@kinora/storage/social/feed/FeedVideos"
import type { VideoCounts } from "@kinora/storage/video/read/VideoJson"
import { Schema } from "effect"
import { chaptersInText } from "../../video/chapter/ChaptersOf.ts"
import { truncate } from "../../platform/html/Escape.ts"
import type { FeedFile, VideoEntry } from "./FeedShape.ts"

/** The database's own JSON: read as it is, its shape is checked in the tests of what makes it. */
const parse = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Unknown))

type Details = Omit<VideoDetails, "account" | "channel" | keyof VideoCounts>

const types: Readonly<Record<string, readonly [video: string, audio: string]>> = {
  mp4: ["video/mp4", "audio/mp4"],
  m4a: ["audio/mp4", "audio/mp4"],
  mov: ["video/quicktime", "audio/mp4"],
  webm: ["video/webm", "audio/webm"],
  ogv: ["video/ogg", "audio/ogg"],
  mkv: ["video/x-matroska", "audio/x-matroska"],
  mp3: ["audio/mpeg", "audio/mpeg"]
}

const typeOf = ({ fileUrl, hasVideo }: VideoFile): string => {
  const known = types[/\.([a-z0-9]{2,5})(?:$|\?)/i.exec(fileUrl)?.[1]?.toLowerCase() ?? "mp4"] ?? types["mp4"]!
  return hasVideo ? known[0] : known[1]
}

const fileOf = (file: VideoFile): FeedFile => ({
  url: file.fileUrl,
  type: typeOf(file),
  size: file.size,
  resolution: file.resolution.id,
  label: file.resolution.label,
  fps: file.fps,
  torrentUrl: file.torrentUrl,
  magnetUri: file.magnetUri,
  hasVideo: file.hasVideo
})

/** Where the file is downloaded; where downloads are not allowed, or it is not ours, where players fetch it. */
const savedAt = (video: Details, file: VideoFile): string =>
  video.isLocal && video.downloadEnabled ? (file.fileDownloadUrl ?? file.fileUrl) : file.fileUrl

/** The largest file with picture and sound in one; of a playlist that has them apart, what puts them together. */
const enclosureOf = (
  video: Details,
  web: ReadonlyArray<VideoFile>,
  hls: ReadonlyArray<VideoFile>,
  origin: string
): VideoEntry["enclosure"] => {
  const best = web[0] ?? hls[0]
  if (best === undefined) return undefined
  const audio = best.hasAudio ? undefined : hls.find((file) => file.hasAudio && !file.hasVideo)
  if (audio === undefined || !video.isLocal || !video.downloadEnabled) {
    return { url: savedAt(video, best), type: typeOf(best), size: best.size }
  }
  return {
    url: `${origin}/download/videos/generate/${video.uuid}?videoFileIds=${best.id}&videoFileIds=${audio.id}`,
    type: "video/mp4",
    size: best.size + audio.size
  }
}

const longestSummary = 250

/** What people wrote, as HTML and as text without markup. */
export interface Reading {
  readonly html: (text: string) => string
  readonly plain: (text: string) => string
}

/** A video as an entry of a feed; `details` are those of its row. */
export const videoEntry = (row: FeedVideoRow, details: string, origin: string, reading: Reading): VideoEntry => {
  const video = parse(`${details}}`) as Details
  const web = video.files
  const hls = video.streamingPlaylists.flatMap(({ files }) => files)
  const watchUrl = `${origin}/w/${video.shortUUID}`
  const description = video.description ?? ""
  const hasChapters = row.hasChapters || (!row.chaptersByHand && chaptersInText(description, video.duration).length > 0)
  return {
    title: video.name,
    link: watchUrl,
    watchUrl: video.isLocal ? `${origin}/videos/watch/${video.uuid}` : video.url,
    embedUrl: `${origin}/videos/embed/${video.uuid}`,
    publishedAt: video.publishedAt,
    updatedAt: video.updatedAt > video.publishedAt ? video.updatedAt : video.publishedAt,
    summary: truncate(reading.plain(video.truncatedDescription ?? "").replaceAll(/\s+/g, " "), longestSummary),
    html: description === "" ? "" : reading.html(description),
    category: video.category.id === null ? undefined : { id: video.category.id, label: video.category.label },
    tags: video.tags,
    channel: { name: row.channelName, url: `${origin}/c/${row.channelHandle}/videos` },
    account: { name: row.accountName, url: `${origin}/a/${row.accountHandle}/video-channels` },
    views: row.views,
    nsfw: video.nsfw,
    isLive: video.isLive,
    duration: video.duration,
    thumbnails: video.thumbnails,
    enclosure: enclosureOf(video, web, hls, origin),
    files: [...web, ...hls].map(fileOf),
    webVideos: web.length,
    playlistUrl: video.streamingPlaylists[0]?.playlistUrl,
    captions: row.captions.map(({ filename, language, remoteUrl }) => ({
      language,
      url: remoteUrl ?? `${origin}/lazy-static/video-captions/${filename}`,
      type: "text/vtt"
    })),
    chaptersUrl: hasChapters ? `${origin}/feeds/podcast/chapters/${video.shortUUID}.json` : undefined,
    trackers: video.trackerUrls
  }
}
