/** The video track that would be shown. Sizes are as displayed: after rotation and sample aspect ratio. */
export interface VideoStream {
  /** The name in ffmpeg: `v:0` is the first video track, including covers. */
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
  /** Clockwise rotation by the decoder in degrees: 0, 90, 180 or 270. */
  readonly rotation: number
  /** True when pixels are not square. */
  readonly anamorphic: boolean
  /** Average frames per second, or the nominal rate if the average is unknown. */
  readonly fps: number
  /** The rate that the container gives, or the average if it gives none. */
  readonly nominalFps: number
  /** True if average and nominal rate differ: frames are not evenly spaced. */
  readonly variableFps: boolean
  readonly interlaced: boolean
  /** Transfer is PQ or HLG. */
  readonly hdr: boolean
  readonly colorTransfer: string | undefined
  readonly colorPrimaries: string | undefined
  readonly colorSpace: string | undefined
  readonly colorRange: string | undefined
  /** bits/s, if the container gives it. */
  readonly bitrate: number | undefined
  readonly frames: number | undefined
  /** Seconds between keyframes at the beginning of the file (only the first 30 s are examined). */
  readonly keyframeInterval: number | undefined
  /** The container says that the first packets must not be shown: the beginning was cut off without re-encoding. */
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

/** A still image inside the file, for example an album cover. */
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
 * The content of a file, determined by its bytes. Times are seconds, sizes bytes, rates bits/s. At least one of `video`
 * and `audio` is present, and the duration is positive.
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
  /** Streams, format and chapters as ffprobe reports them: the API shows them as a file's metadata. */
  readonly raw: {
    readonly format: object
    readonly streams: ReadonlyArray<object>
    readonly chapters: ReadonlyArray<object>
  }
}
