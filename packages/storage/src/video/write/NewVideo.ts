/** A thumbnail that is already in the object store. type 1: miniature, 2: preview. */
export interface NewThumbnail {
  readonly type: 1 | 2
  readonly filename: string
  readonly width: number
  readonly height: number
  readonly automaticallyGenerated: boolean
}

/** The uploaded file, in bucket `original_video_files` under `filename`. Sizes in bytes and pixels. */
export interface NewSource {
  /** The file name from the client: only data. */
  readonly inputFilename: string
  readonly filename: string
  readonly size: number
  readonly width: number | null
  readonly height: number | null
  readonly resolution: number | null
  readonly fps: number | null
  /** ffprobe output as JSON. */
  readonly metadata: unknown
}

/** The initial data of a local video. Instants are ISO 8601 in UTC. */
export interface NewVideo {
  readonly uuid: string
  readonly channelId: number
  /** The account that owns the channel. */
  readonly accountId: number
  /** The account that created it, for the channel's activity log. */
  readonly uploaderAccountId: number
  readonly url: string
  readonly name: string
  readonly category: number | null
  readonly licence: number | null
  readonly language: string | null
  readonly privacy: number
  readonly nsfw: boolean
  readonly nsfwFlags: number
  readonly nsfwSummary: string | null
  readonly description: string | null
  readonly support: string | null
  /** Whole seconds. */
  readonly duration: number
  readonly aspectRatio: number | null
  readonly waitTranscoding: boolean
  readonly downloadEnabled: boolean
  readonly commentsPolicy: number
  readonly originallyPublishedAt: string | null
  readonly tags: ReadonlyArray<string>
  readonly passwords: ReadonlyArray<string>
  readonly schedule: { readonly updateAt: string; readonly privacy: number | null } | null
  readonly source: NewSource
  readonly thumbnails: ReadonlyArray<NewThumbnail>
  /** Whether the instance reviews new videos of its users. It is decided by the role and flags of who creates it. */
  readonly reviewed: boolean
}

/** A video whose file is not there yet. */
export type AnnouncedVideo = Omit<NewVideo, "source">
