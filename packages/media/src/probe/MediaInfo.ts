/** The picture track that would be shown. Sizes are as displayed: after rotation and sample aspect ratio. */
export interface VideoStream {
  /** How ffmpeg names it: `v:0` is the first picture track, covers counted. */
  readonly stream: string
  readonly codec: string
  readonly profile: string | undefined
  readonly level: number | undefined
  readonly pixelFormat: string
  readonly bitDepth: number
  readonly width: number
  readonly height: number
  readonly codedWidth: number
  readonly codedHeight: number
  /** Degrees clockwise the decoder turns the picture by: 0, 90, 180 or 270. */
  readonly rotation: number
  /** True when pixels are not square. */
  readonly anamorphic: boolean
  /** Average frames per second; the nominal rate where no average is known. */
  readonly fps: number
  /** The rate the container names; the average where it names none. */
  readonly nominalFps: number
  /** True when average and nominal rate differ: frames are not evenly spaced. */
  readonly variableFps: boolean
  readonly interlaced: boolean
  /** Transfer is PQ or HLG. */
  readonly hdr: boolean
  readonly colorTransfer: string | undefined
  readonly colorPrimaries: string | undefined
  readonly colorSpace: string | undefined
  readonly colorRange: string | undefined
  /** bits/s, where the container says. */
  readonly bitrate: number | undefined
  readonly frames: number | undefined
  /** Seconds between keyframes at the beginning of the file (at most the first 30 s are looked at). */
  readonly keyframeInterval: number | undefined
  /** The container says that the first packets are not to be shown: the beginning was cut off without re-encoding. */
  readonly startsCut: boolean
  readonly startTime: number
}

export interface AudioStream {
  readonly stream: string
  readonly codec: string
  readonly profile: string | undefined
  readonly channels: number
  readonly sampleRate: number
  readonly bitrate: number | undefined
  readonly language: string | undefined
  readonly startTime: number
}

/** A still picture inside the file, for example an album cover. */
export interface AttachedPicture {
  readonly stream: string
  readonly codec: string
  readonly width: number
  readonly height: number
}

export interface Chapter {
  readonly start: number
  readonly end: number
  readonly title: string
}

/**
 * What a file is, decided by its bytes. Times are seconds, sizes bytes, rates bits/s. At least one of `video` and `audio` is
 * there, and the duration is positive.
 */
export interface MediaInfo {
  /** ffmpeg's demuxer, for example `mov`, `matroska`, `avi`, `mpegts`. */
  readonly container: string
  readonly duration: number
  readonly size: number
  readonly bitrate: number | undefined
  readonly video: VideoStream | undefined
  readonly audio: ReadonlyArray<AudioStream>
  readonly pictures: ReadonlyArray<AttachedPicture>
  readonly chapters: ReadonlyArray<Chapter>
  readonly tags: Readonly<Record<string, string>>
  /** Streams, format and chapters as ffprobe reports them: what the API shows as a file's metadata. */
  readonly raw: {
    readonly format: object
    readonly streams: ReadonlyArray<object>
    readonly chapters: ReadonlyArray<object>
  }
}
