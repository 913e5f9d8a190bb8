import { Schema } from "effect"

/** A copy of a video's streaming playlist that this instance serves. */
export interface ServedCopy {
  readonly url: string
  readonly videoUrl: string
  /** Folder of its files. */
  readonly baseUrl: string
  /** ISO 8601; null: it stays. */
  readonly expires: string | null
}

/** A copy, as other instances read it (contract: CacheFile). */
export const CacheFileDocument = Schema.Struct({
  id: Schema.String,
  type: Schema.Literal("CacheFile"),
  /** The video. */
  object: Schema.String,
  expires: Schema.NullOr(Schema.String),
  url: Schema.Struct({
    type: Schema.Literal("Link"),
    mediaType: Schema.Literal("application/x-mpegURL"),
    href: Schema.String
  })
})
export type CacheFileDocument = typeof CacheFileDocument.Type

/** The object of a copy. */
export const cacheFile = ({ baseUrl, expires, url, videoUrl }: ServedCopy): CacheFileDocument => ({
  id: url,
  type: "CacheFile",
  object: videoUrl,
  expires,
  url: { type: "Link", mediaType: "application/x-mpegURL", href: baseUrl }
})
