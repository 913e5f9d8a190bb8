import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { chooseCoding, compress } from "../../platform/http/Compression.ts"
import { noneMatchHas } from "../../platform/http/Conditional.ts"
import type { FeedText } from "./FeedCache.ts"

/** Bytes from which on a feed is sent compressed. */
const compressFrom = 1024
const second = 1000

/**
 * When the feed changed, as a date of HTTP: undefined until a second has passed, since of two changes within one the date
 * would tell nothing (RFC 9110, 8.8.2.2).
 */
const modifiedAt = ({ since }: FeedText, now: number): number | undefined => {
  const changed = Math.floor(since / second) * second
  return now >= changed + second ? changed : undefined
}

/** Feeds are asked for many times within the second they changed in. */
let lastDate: readonly [millis: number, text: string] = [0, new Date(0).toUTCString()]

const httpDate = (millis: number): string => {
  if (lastDate[0] !== millis) lastDate = [millis, new Date(millis).toUTCString()]
  return lastDate[1]
}

const isUnmodified = (header: string | undefined, { since }: FeedText): boolean => {
  const known = header === undefined ? Number.NaN : Date.parse(header)
  return Math.floor(since / second) * second <= known
}

/**
 * A feed as a response: with entity tag and date, 304 by either (If-None-Match before the other: RFC 9110, 13.2.2), and
 * compressed once for all who ask. `grown` is called with the number of bytes that stay in memory.
 */
export const feedAnswer = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  feed: FeedText,
  now: number,
  options: { readonly contentType: string; readonly cacheControl: string },
  grown: (bytes: number) => void
) {
  const modified = modifiedAt(feed, now)
  const headers = {
    "cache-control": options.cacheControl,
    etag: feed.etag,
    vary: "Accept, Authorization",
    ...(modified === undefined ? {} : { "last-modified": httpDate(modified) })
  }
  const noneMatch = request.headers["if-none-match"]
  const isKnown =
    noneMatch === undefined
      ? isUnmodified(request.headers["if-modified-since"], feed)
      : noneMatchHas(noneMatch, feed.etag)
  if (isKnown) return HttpServerResponse.empty({ status: 304, headers })
  const contentType = `${options.contentType}; charset=utf-8`
  const coding = feed.body.byteLength < compressFrom ? undefined : chooseCoding(request.headers["accept-encoding"])
  if (coding === undefined || request.method === "HEAD") {
    return HttpServerResponse.uint8Array(feed.body, { contentType, headers })
  }
  let coded = feed.coded.get(coding)
  if (coded === undefined) {
    coded = yield* compress(feed.body, coding)
    if (!feed.coded.has(coding)) {
      feed.coded.set(coding, coded)
      grown(coded.byteLength)
    }
  }
  return HttpServerResponse.uint8Array(coded, {
    contentType,
    headers: { ...headers, vary: `${headers.vary}, Accept-Encoding`, "content-encoding": coding }
  })
})
