import { Result } from "effect"
import { originOf, sameOrigin } from "../authority/Authority.ts"
import { isObject, type JsonObject } from "../vocabulary/Json.ts"
import type { MalformedDocument } from "../vocabulary/Normalise.ts"
import { malformed } from "./ObjectShape.ts"
import { addressOf, identifierOf, listOf, timeOf } from "../vocabulary/Reading.ts"

/** A copy of a video's streaming playlist that another instance serves. */
export interface CacheFileObject {
  readonly id: string
  /** The video. */
  readonly video: string
  /** Of the playlist; of the origin of the copy. */
  readonly playlistUrl: string
  readonly expires: string | null
}

/** Reads a CacheFile (contract: CacheFile). What it serves must be of its own origin. */
export const decodeCacheFile = (object: JsonObject): Result.Result<CacheFileObject, MalformedDocument> => {
  const id = identifierOf(object)
  if (id === null || originOf(id) === null) return malformed("a copy without id")
  if (object["type"] !== "CacheFile") return malformed("no copy")
  const video = identifierOf(object["object"])
  if (video === null || originOf(video) === null) return malformed("a copy of nothing")
  for (const link of listOf(object["url"]).slice(0, 10)) {
    if (!isObject(link) || link["mediaType"] !== "application/x-mpegURL") continue
    const playlistUrl = addressOf(link["href"])
    if (playlistUrl === null || !sameOrigin(playlistUrl, id)) continue
    return Result.succeed({ id, video, playlistUrl, expires: timeOf(object["expires"]) })
  }
  return malformed("a copy without a playlist of its own")
}
