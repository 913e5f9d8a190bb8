import { readChapters } from "@kinora/federation/objects/VideoExtras"
import type { VideoObject } from "@kinora/federation/objects/VideoObject"
import type { RemoteVideoRows } from "@kinora/storage/federation/remote/RemoteVideoRows"
import { Effect } from "effect"
import { makeReadings } from "./Readings.ts"
import type { RemoteObjects } from "./RemoteObjects.ts"
import { ofItsOrigin, totalOf } from "./Totals.ts"

/** Videos that are looked at at once, and those that may wait for it: beyond that, the next change of a video asks again. */
const limits = { atOnce: 4, most: 1_000 }

/**
 * What stands beside a video at its origin: chapters, and how many like it. Read behind what changes the video, once a second at
 * most for one: some instances send a video anew for every like. Left out when there is too much of it.
 */
export const makeVideoExtras = Effect.fnUntraced(function* (
  objects: RemoteObjects["Service"],
  rows: RemoteVideoRows["Service"]
) {
  const readings = yield* makeReadings(limits)

  const read = ofItsOrigin(objects)
  const total = totalOf(objects)

  const chapters = (url: string, videoId: number) =>
    Effect.flatMap(read(url, []), ({ hasPart }) => rows.setChapters(videoId, readChapters(hasPart)))

  const ratings = Effect.fnUntraced(function* (video: VideoObject, videoId: number) {
    const likes = yield* total(video.likesUrl)
    const dislikes = yield* total(video.dislikesUrl)
    if (likes !== null || dislikes !== null) yield* rows.setRatings(videoId, { likes, dislikes })
  })

  /** `counted`: it may have been rated, as one that is new here has not. */
  return Effect.fnUntraced(function* (video: VideoObject, videoId: number, counted: boolean) {
    // What stands in the video itself costs its origin nothing.
    if (video.chapters !== null) yield* Effect.ignore(rows.setChapters(videoId, video.chapters))
    const chaptersUrl = video.chapters === null ? video.chaptersUrl : null
    if (!counted && chaptersUrl === null) return
    const work = Effect.andThen(
      chaptersUrl === null ? Effect.void : Effect.ignore(chapters(chaptersUrl, videoId)),
      counted ? Effect.ignore(ratings(video, videoId)) : Effect.void
    )
    yield* readings.request(video.id, work)
  })
})
