import { parseActorHandle, type ActorHandle } from "../ids/ActorHandle.ts"
import { maxId } from "../ids/Ids.ts"
import { videoReader } from "../ids/VideoIdOrUuid.ts"
import type { Reader } from "../fields/Field.ts"
import { query } from "./Query.ts"
import { boolean, integer, oneOf } from "../fields/Readers.ts"
import { toText } from "../fields/Values.ts"
import { videoListReaders } from "./VideoListQuery.ts"

/** Names of feed formats (contract: FeedFormat). */
const feedFormats = ["xml", "rss", "rss2", "atom", "atom1", "json", "json1"] as const
export type FeedFormat = (typeof feedFormats)[number]

export const feedFormatReader = oneOf(feedFormats, `Must be one of ${feedFormats.join(", ")}`)

/**
 * Media types of each format, the one that is sent first (contract: FeedContentTypes). What was asked for as `xml` is XML to
 * clients that know no better.
 */
export const feedContentTypes: Readonly<Record<FeedFormat, ReadonlyArray<string>>> = {
  xml: ["application/xml", "text/xml", "application/rss+xml"],
  rss: ["application/rss+xml", "application/xml", "text/xml"],
  rss2: ["application/rss+xml", "application/xml", "text/xml"],
  atom: ["application/atom+xml"],
  atom1: ["application/atom+xml"],
  json: ["application/json"],
  json1: ["application/json"]
}

const id = (what: string) =>
  integer({ min: 1, max: maxId, message: `Must be the id of ${what}`, documented: { type: "string" } })

const handle = (what: string): Reader<ActorHandle> => ({
  message: `Must be the name of ${what}, or name@host`,
  documented: { type: "string" },
  parse: (input) => {
    const text = toText(input)
    return text === undefined ? undefined : parseActorHandle(text)
  }
})

/** Whose videos, or comments on whose videos, a feed is narrowed down to. */
const owners = {
  accountId: id("an account"),
  accountName: handle("an account"),
  videoChannelId: id("a channel"),
  videoChannelName: handle("a channel")
}

const { start: _start, count: _count, skipCount: _skipCount, ...filters } = videoListReaders

/** Query of the feed of videos: what lists of videos filter and sort by, but no pages. */
export const videoFeedQuery = query({ ...filters, ...owners })

/** Query of the feed of comments. */
export const commentFeedQuery = query({
  videoId: videoReader,
  ...owners,
  isLocal: boolean(),
  onLocalVideo: boolean()
})

/** What the feed of a user's subscriptions narrows down by. */
export const subscriptionFilters = filters

export const feedAccountId = id("an account")
export const podcastChannelId = id("a channel")
