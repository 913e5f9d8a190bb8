import type { RemotePicture } from "./NewRemoteActor.ts"

export interface NewRemoteFile {
  readonly url: string
  readonly extension: string
  readonly resolution: number
  readonly width: number | null
  readonly height: number | null
  readonly size: number
  readonly fps: number
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  readonly metadataUrl: string | null
  readonly torrentUrl: string | null
  readonly infoHash: string | null
}

/** What is written of a video; texts are bounded and addresses vetted before (`VideoObject`). */
export interface NewRemoteVideo {
  readonly url: string
  readonly uuid: string | null
  readonly name: string
  readonly category: number | null
  readonly licence: number | null
  readonly language: string | null
  readonly privacy: 1 | 2
  readonly state: number
  readonly nsfw: boolean
  readonly nsfwFlags: number
  readonly nsfwSummary: string | null
  readonly description: string | null
  readonly support: string | null
  readonly duration: number
  readonly aspectRatio: number | null
  readonly isLive: boolean
  /** When the live is announced to begin, in ISO 8601: sorted, none twice. */
  readonly schedules: ReadonlyArray<string>
  readonly waitTranscoding: boolean
  readonly downloadEnabled: boolean
  readonly commentsPolicy: 1 | 2 | 3
  readonly views: number
  readonly downloads: number
  readonly inputFileUpdated: string | null
  readonly originallyPublished: string | null
  readonly published: string | null
  readonly updated: string | null
  readonly tags: ReadonlyArray<string>
  readonly trackers: ReadonlyArray<string>
  /** Type 1 is the small one, 2 large ones. */
  readonly pictures: ReadonlyArray<RemotePicture & { readonly type: 1 | 2 }>
  readonly storyboard: {
    readonly url: string
    readonly width: number
    readonly height: number
    readonly tileWidth: number
    readonly tileHeight: number
    readonly tileSeconds: number
  } | null
  readonly captions: ReadonlyArray<{
    readonly language: string
    readonly automaticallyGenerated: boolean
    readonly url: string
  }>
  readonly files: ReadonlyArray<NewRemoteFile>
  readonly hls: {
    readonly url: string
    readonly segmentsUrl: string | null
    readonly files: ReadonlyArray<NewRemoteFile>
  } | null
  readonly likesUrl: string | null
  readonly dislikesUrl: string | null
  readonly sharesUrl: string | null
  readonly commentsUrl: string | null
  readonly chaptersUrl: string | null
}

/** A video as it is given, and whose it says it is. */
export interface GivenVideo {
  readonly owner: {
    /** Null: whose the channel is. */
    readonly accountId: number | null
    readonly channelId: number
  }
  readonly video: NewRemoteVideo
  /** Its origin was asked for it: then it may go from one account to another. */
  readonly asked: boolean
}

/** The row of a video that was given. */
export interface WrittenVideo {
  readonly id: number
  /** It was not known before. */
  readonly isNew: boolean
}
