import type { ActorImage } from "@kinora/domain/wire/ActorImage"

/** What stands above the entries of every feed. */
export interface FeedHead {
  readonly title: string
  readonly description: string
  /** Page the feed is about. */
  readonly link: string
  /** Address of the feed itself; undefined where a secret is part of it. */
  readonly self: string | undefined
  /** Address of a picture. */
  readonly image: string
  /** When the newest entry changed, ISO 8601. */
  readonly updatedAt: string
  readonly author: string
  readonly instance: FeedInstance
}

/** What feeds say about the instance. */
export interface FeedInstance {
  readonly name: string
  readonly description: string
  /** Public address without a trailing slash. */
  readonly origin: string
}

/** A file of a video that programs can play or save. */
export interface FeedFile {
  readonly url: string
  readonly type: string
  readonly size: number
  readonly resolution: number
  readonly label: string
  readonly fps: number
  readonly torrentUrl: string | null
  readonly magnetUri: string | null
  readonly hasVideo: boolean
}

/** A video as an entry of a feed. Texts are as people wrote them, HTML is safe. */
export interface VideoEntry {
  readonly title: string
  readonly link: string
  readonly watchUrl: string
  readonly embedUrl: string
  readonly publishedAt: string
  readonly updatedAt: string
  /** One line without markup. */
  readonly summary: string
  readonly html: string
  readonly category: { readonly id: number; readonly label: string } | undefined
  readonly tags: ReadonlyArray<string>
  readonly channel: { readonly name: string; readonly url: string }
  readonly account: { readonly name: string; readonly url: string }
  readonly views: number
  readonly nsfw: boolean
  readonly isLive: boolean
  /** Seconds. */
  readonly duration: number
  readonly thumbnails: ReadonlyArray<{ readonly fileUrl: string; readonly width: number; readonly height: number }>
  /** The file for who takes only one; undefined while there is none. */
  readonly enclosure: { readonly url: string; readonly type: string; readonly size: number } | undefined
  /** Web videos first, then those of the HLS playlist, each the largest first. */
  readonly files: ReadonlyArray<FeedFile>
  /** How many of them are web videos. */
  readonly webVideos: number
  readonly playlistUrl: string | undefined
  readonly captions: ReadonlyArray<{ readonly language: string; readonly url: string; readonly type: string }>
  readonly chaptersUrl: string | undefined
  readonly trackers: ReadonlyArray<string>
}

/** A comment as an entry of a feed. */
export interface CommentEntry {
  readonly id: string
  readonly title: string
  readonly link: string
  readonly publishedAt: string
  readonly html: string
  readonly author: { readonly name: string; readonly url: string }
}

/** The largest picture that is as wide as it is high. */
export const largest = (pictures: ReadonlyArray<Pick<ActorImage, "fileUrl" | "width">>): string | undefined =>
  pictures.toSorted((a, b) => b.width - a.width)[0]?.fileUrl

/** The latest of these times, ISO 8601 in UTC with milliseconds: their order is that of texts. */
export const latest = (times: ReadonlyArray<string>): string | undefined =>
  times.length === 0 ? undefined : times.reduce((a, b) => (a > b ? a : b))
