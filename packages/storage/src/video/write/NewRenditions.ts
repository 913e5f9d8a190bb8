/** A finished rendition file in the object store. Sizes in bytes and pixels; resolution 0 is audio only. */
export interface NewFile {
  readonly resolution: number
  readonly width: number
  readonly height: number
  readonly fps: number
  readonly size: number
  /** With the dot: `.mp4`. */
  readonly extname: string
  readonly filename: string
  /** Name of the HLS media playlist; null for a web video. */
  readonly playlistFilename: string | null
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  /** In bucket `torrents`. */
  readonly torrentFilename: string
  /** 40 hexadecimal digits. */
  readonly infoHash: string
  /** ffprobe output of the file. Null if the file was not probed. */
  readonly metadata: unknown
}

export interface NewPlaylist {
  readonly master: string
  readonly segments: string
  readonly files: ReadonlyArray<NewFile>
}

/** All files a video will have from now on. */
export interface RenditionSet {
  readonly hls: NewPlaylist | null
  readonly web: ReadonlyArray<NewFile>
}

/** Kinds of renditions that can be made separately, as the contract names them. */
export type RenditionKind = "hls" | "web-video"

export interface NewStoryboard {
  readonly filename: string
  readonly totalWidth: number
  readonly totalHeight: number
  readonly spriteWidth: number
  readonly spriteHeight: number
  readonly spriteDuration: number
}

/** Files of restricted videos are stored separately (privacies 3 private, 4 internal, 5 password). */
export const isPrivate = (privacy: number): boolean => privacy === 3 || privacy === 4 || privacy === 5

export const webVideosBucket = (privacy: number): "web_videos" | "web_videos_private" =>
  isPrivate(privacy) ? "web_videos_private" : "web_videos"

export const playlistsBucket = (privacy: number): "streaming_playlists" | "streaming_playlists_private" =>
  isPrivate(privacy) ? "streaming_playlists_private" : "streaming_playlists"

/** The URL of a video's file, as in `VideoFileJson`. */
export const fileAddress = (
  origin: string,
  video: { readonly uuid: string; readonly privacy: number },
  file: { readonly filename: string; readonly hls: boolean }
): string => {
  const folder = isPrivate(video.privacy) ? "private/" : ""
  return file.hls
    ? `${origin}/static/streaming-playlists/hls/${folder}${video.uuid}/${file.filename}`
    : `${origin}/static/web-videos/${folder}${file.filename}`
}
