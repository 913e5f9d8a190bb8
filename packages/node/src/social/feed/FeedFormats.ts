import type { FeedFormat } from "@kinora/domain/requests/FeedRequests"

/** What the formats come down to; the others are older names of these. */
export type FeedKind = "rss" | "atom" | "json"

export const feedKind = (format: FeedFormat): FeedKind =>
  format.startsWith("atom") ? "atom" : format.startsWith("json") ? "json" : "rss"
