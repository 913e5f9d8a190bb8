import type { JsonObject } from "../vocabulary/Json.ts"

/** A copy of a video's streaming playlist that this instance serves. */
export interface ServedCopy {
  readonly url: string
  readonly videoUrl: string
  /** Folder of its files. */
  readonly baseUrl: string
  /** ISO 8601; null: it stays. */
  readonly expires: string | null
}

/** A CacheFile (contract: CacheFile). */
export const cacheFile = ({ baseUrl, expires, url, videoUrl }: ServedCopy): JsonObject => ({
  id: url,
  type: "CacheFile",
  object: videoUrl,
  expires,
  url: { type: "Link", mediaType: "application/x-mpegURL", href: baseUrl }
})
