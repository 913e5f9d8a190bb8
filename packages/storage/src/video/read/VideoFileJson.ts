import type { VideoFile, VideoStreamingPlaylist } from "@kinora/domain/wire/VideoFile"
import { localTrackers, magnetUri } from "./MagnetUri.ts"
import { remoteTorrentName } from "../access/RemoteTorrents.ts"

/** A rendition as its row has it. `playlistId` is null for web videos. */
export interface VideoFileRow {
  readonly id: number
  readonly playlistId: number | null
  readonly resolution: number
  readonly width: number | null
  readonly height: number | null
  readonly fps: number
  readonly size: number
  readonly extname: string
  readonly filename: string | null
  readonly fileUrl: string | null
  readonly playlistFilename: string | null
  readonly playlistUrl: string | null
  readonly torrentFilename: string | null
  readonly torrentUrl: string | null
  readonly infoHash: string | null
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  readonly storage: 0 | 1
  readonly metadataUrl: string | null
}

/** A streaming playlist as its row has it, with addresses of the copies of it that are valid now. */
export interface StreamingPlaylistRow {
  readonly id: number
  readonly type: 1
  readonly playlistFilename: string | null
  readonly playlistUrl: string | null
  readonly segmentsSha256Filename: string | null
  readonly segmentsSha256Url: string | null
  readonly copies: ReadonlyArray<string>
}

/** The video whose files these are. */
export interface FilesOwner {
  readonly origin: string
  readonly uuid: string
  readonly name: string
  readonly privacy: number
  readonly remote: boolean
  /** Those of the instance that a remote video comes from. */
  readonly remoteTrackers: ReadonlyArray<string>
}

/** `{ id, label }` of a resolution in lines; 0 is sound alone. */
export const resolutionConstant = (lines: number) => ({ id: lines, label: lines === 0 ? "Audio only" : `${lines}p` })

/** Trackers of the video's torrents. */
export const trackersOf = ({ origin, remote, remoteTrackers }: FilesOwner): ReadonlyArray<string> =>
  remote ? remoteTrackers : localTrackers(origin)

/** Files of private, internal and password-protected videos have addresses of their own. */
const privateFolder = ({ privacy }: Pick<FilesOwner, "privacy">): string => (privacy > 2 ? "private/" : "")

/** Where the files of the video's streaming playlist are, with a slash at the end. */
export const hlsFolder = (video: Pick<FilesOwner, "origin" | "privacy" | "uuid">): string =>
  `${video.origin}/static/streaming-playlists/hls/${privateFolder(video)}${video.uuid}/`

const below = (folder: string, filename: string | null): string | null => (filename === null ? null : folder + filename)

/** Where a file is downloaded: on this instance, or at its address elsewhere. */
const downloadUrl = (video: FilesOwner, file: VideoFileRow, address: string): string => {
  if (video.remote) return address
  const extension = `.${file.extname.replace(/^\.+/, "")}`
  return file.playlistId === null
    ? `${video.origin}/download/web-videos/${video.uuid}-${file.resolution}${extension}`
    : `${video.origin}/download/streaming-playlists/hls/videos/${video.uuid}-${file.resolution}-fragmented${extension}`
}

/** The name of the torrent below addresses of this instance, which copies those of others. Their digest must be known for that. */
const torrentName = ({ id, infoHash, torrentFilename, torrentUrl }: VideoFileRow): string | null =>
  torrentUrl === null || infoHash === null ? torrentFilename : remoteTorrentName({ id, infoHash })

/** A file (contract: VideoFile). Absent: sizes that are not known, the playlist of a web video. */
const videoFile = (
  video: FilesOwner,
  file: VideoFileRow,
  trackers: ReadonlyArray<string>
): typeof VideoFile.Encoded => {
  const { name, origin, uuid } = video
  const { infoHash } = file
  const folder = file.playlistId === null ? `${origin}/static/web-videos/${privateFolder(video)}` : hlsFolder(video)
  const torrentFile = torrentName(file)
  const torrentUrl = below(`${origin}/lazy-static/torrents/`, torrentFile)
  const fileUrl = file.fileUrl ?? folder + (file.filename ?? "")
  const playlistUrl = file.playlistUrl ?? below(folder, file.playlistFilename)
  const metadataUrl = file.metadataUrl ?? (video.remote ? null : `${origin}/api/v1/videos/${uuid}/metadata/${file.id}`)
  return {
    id: file.id,
    resolution: resolutionConstant(file.resolution),
    magnetUri:
      torrentUrl === null || infoHash === null ? null : magnetUri({ name, torrentUrl, infoHash, trackers, fileUrl }),
    size: file.size,
    fps: file.fps,
    torrentUrl,
    torrentDownloadUrl: below(`${origin}/download/torrents/`, torrentFile),
    fileUrl,
    fileDownloadUrl: downloadUrl(video, file, fileUrl),
    hasAudio: file.hasAudio,
    hasVideo: file.hasVideo,
    storage: file.storage,
    ...(file.width === null ? {} : { width: file.width }),
    ...(file.height === null ? {} : { height: file.height }),
    ...(playlistUrl === null ? {} : { playlistUrl }),
    ...(metadataUrl === null ? {} : { metadataUrl })
  }
}

const videoFiles = (video: FilesOwner, files: ReadonlyArray<VideoFileRow>, playlistId: number | null) => {
  const trackers = trackersOf(video)
  return files.filter((file) => file.playlistId === playlistId).map((file) => videoFile(video, file, trackers))
}

/** The web videos among the files of a video. */
export const webVideos = (
  video: FilesOwner,
  files: ReadonlyArray<VideoFileRow>
): ReadonlyArray<typeof VideoFile.Encoded> => videoFiles(video, files, null)

/** The streaming playlists of a video with their renditions (contract: VideoStreamingPlaylists). */
export const streamingPlaylists = (
  video: FilesOwner,
  playlists: ReadonlyArray<StreamingPlaylistRow>,
  files: ReadonlyArray<VideoFileRow>
): ReadonlyArray<typeof VideoStreamingPlaylist.Encoded> => {
  const folder = hlsFolder(video)
  return playlists.map((playlist) => ({
    id: playlist.id,
    type: playlist.type,
    playlistUrl: playlist.playlistUrl ?? folder + (playlist.playlistFilename ?? ""),
    segmentsSha256Url: playlist.segmentsSha256Url ?? below(folder, playlist.segmentsSha256Filename),
    redundancies: playlist.copies.map((baseUrl) => ({ baseUrl })),
    files: videoFiles(video, files, playlist.id)
  }))
}
