import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { VideoDetails, VideoList } from "@kinora/domain/wire/Video"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import type { EmbedPrivacy } from "@kinora/storage/video/embed/EmbedRows"
import { Context, type Effect } from "effect"
import type { browseSorts } from "../platform/config/keys/Server.ts"

/** Which public videos a page lists. */
export interface PageVideosQuery {
  readonly start: number
  readonly count: number
  /** `-match`: best matches for `search` first. */
  readonly sort: "-match" | (typeof browseSorts)[number]
  readonly search?: string
  /** Only videos of this instance. */
  readonly isLocal?: boolean
  readonly categoryOneOf?: ReadonlyArray<number>
  readonly languageOneOf?: ReadonlyArray<string>
  readonly tagsOneOf?: ReadonlyArray<string>
  /** Seconds, inclusive. */
  readonly durationMin?: number
  readonly durationMax?: number
  /** Published since, in ISO 8601. */
  readonly startDate?: string
  /** `name` or `name@host` of their channel or account. */
  readonly channel?: string
  readonly account?: string
  /** Announced lives, too. */
  readonly includeScheduledLive?: boolean
}

export interface FoundVideo {
  readonly facts: VideoFacts
  readonly details: VideoDetails
}

/** Data of videos for pages, in API format. */
export class PageVideos extends Context.Service<
  PageVideos,
  {
    /** The video, whether or not it may be seen, with the facts that decide it: see `showing`. */
    byId(id: VideoIdOrUuid): Effect.Effect<FoundVideo, VideoNotFound | DatabaseUnavailable>
    /** Which sites may embed the video. */
    embedPrivacy(videoId: number): Effect.Effect<EmbedPrivacy, VideoNotFound | DatabaseUnavailable>
    /** Public, unblocked videos, as an anonymous visitor may list them: published ones, and announced lives if asked for. */
    list(query: PageVideosQuery): Effect.Effect<VideoList, DatabaseUnavailable>
  }
>()("@kinora/node/pages/PageVideos") {}
