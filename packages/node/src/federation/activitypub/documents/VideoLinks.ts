import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import type {
  FileLinks,
  StreamingPlaylistLink,
  VideoLink,
  VideoMediaType
} from "@kinora/federation/documents/VideoLinkDocuments"
import type { VideoFileRow, VideoRow } from "@kinora/storage/federation/activitypub/rows/VideoRow"
import { localTrackers, magnetUri } from "@kinora/storage/video/read/MagnetUri"

const mediaTypeOf = ({ extname, hasVideo }: VideoFileRow): VideoMediaType => {
  if (!hasVideo) return "audio/mp4"
  if (extname.endsWith("webm")) return "video/webm"
  return extname.endsWith("ogv") ? "video/ogg" : "video/mp4"
}

/** The folder of the files of a video's streaming playlist. */
const hlsFolder = (uuid: string, origin: string): string => `${origin}/static/streaming-playlists/hls/${uuid}/`

interface FileContext {
  readonly video: VideoRow
  readonly kind: "web-video" | "fragmented"
  readonly origin: string
}

/** The links of a file: itself, what is known of it, its torrent. */
const fileLinks = (file: VideoFileRow, context: FileContext): ReadonlyArray<FileLinks> => {
  const { kind, origin, video } = context
  const { fps, height, infoHash, torrentFilename, width } = file
  const folder = kind === "web-video" ? `${origin}/static/web-videos/` : hlsFolder(video.uuid, origin)
  const address = file.fileUrl ?? (file.filename === null ? null : `${folder}${file.filename}`)
  if (address === null) return []
  const media = mediaTypeOf(file)
  const resolution = { height, width, fps }
  const metadata = file.metadataUrl ?? `${origin}/api/v1/videos/${video.uuid}/metadata/${file.id}`
  const links: Array<FileLinks> = [
    {
      type: "Link",
      mediaType: media,
      href: address,
      height,
      width,
      size: file.size,
      fps,
      attachment: [
        ...(file.hasAudio ? [{ type: "PropertyValue", name: "ffprobe_codec_type", value: "audio" } as const] : []),
        ...(file.hasVideo ? [{ type: "PropertyValue", name: "ffprobe_codec_type", value: "video" } as const] : []),
        { type: "PropertyValue", name: "peertube_format_flag", value: kind }
      ]
    },
    { type: "Link", rel: ["metadata", media], mediaType: "application/json", href: metadata, ...resolution }
  ]
  if (torrentFilename === null) return links
  const torrent = `${origin}/lazy-static/torrents/${torrentFilename}`
  links.push({ type: "Link", mediaType: "application/x-bittorrent", href: torrent, ...resolution })
  if (infoHash === null) return links
  const magnet = magnetUri({
    name: video.name,
    torrentUrl: torrent,
    infoHash,
    trackers: localTrackers(origin),
    fileUrl: address
  })
  links.push({
    type: "Link",
    mediaType: "application/x-bittorrent;x-scheme-handler/magnet",
    href: magnet,
    ...resolution
  })
  return links
}

const streamingPlaylistLinks = (video: VideoRow, origin: string): ReadonlyArray<StreamingPlaylistLink> => {
  const playlist = video.streamingPlaylist
  if (playlist === null) return []
  const folder = hlsFolder(video.uuid, origin)
  const addressOf = (url: string | null, filename: string | null): string | null =>
    url ?? (filename === null ? null : `${folder}${filename}`)
  const href = addressOf(playlist.playlistUrl, playlist.playlistFilename)
  if (href === null) return []
  const hashes = addressOf(playlist.segmentsSha256Url, playlist.segmentsSha256Filename)
  const sha256 = { type: "Link", name: "sha256", mediaType: "application/json" } as const
  const files = video.hlsFiles.flatMap((file) => fileLinks(file, { video, kind: "fragmented", origin }))
  const tag = [...(hashes === null ? [] : [{ ...sha256, href: hashes }]), ...files]
  return [{ type: "Link", mediaType: "application/x-mpegURL", href, tag }]
}

/** Where a video is: pages, files, and the trackers of its torrents. Readers take the first page for their links. */
export const videoLinks = (video: VideoRow, origin: string): ReadonlyArray<VideoLink> => {
  const [http, socket] = localTrackers(origin)
  return [
    { type: "Link", mediaType: "text/html", href: `${origin}/w/${toShortUuid(video.uuid)}` },
    { type: "Link", mediaType: "text/html", href: video.url },
    ...video.webFiles.flatMap((file) => fileLinks(file, { video, kind: "web-video", origin })),
    ...streamingPlaylistLinks(video, origin),
    { type: "Link", name: "tracker-http", rel: ["tracker", "http"], href: http },
    { type: "Link", name: "tracker-websocket", rel: ["tracker", "websocket"], href: socket }
  ]
}
