import { sameOrigin } from "@kinora/federation/authority/Authority"
import { readCollection } from "@kinora/federation/objects/Collection"
import { readChapters } from "@kinora/federation/objects/VideoExtras"
import type { VideoObject } from "@kinora/federation/objects/VideoObject"
import type { RemoteVideoRows } from "@kinora/storage/federation/remote/RemoteVideoRows"
import { Clock, Effect, Semaphore } from "effect"
import { makeFlights } from "./Flights.ts"
import { ObjectRefused } from "./RemoteErrors.ts"
import type { RemoteObjects } from "./RemoteObjects.ts"

/** Milliseconds before the same video is looked at again: some instances send a video anew for every like. */
const pause = 30_000
const maxRemembered = 10_000
/** Videos that are looked at at once, and those that may wait for it: beyond that, the next change of a video asks again. */
const limits = { atOnce: 4, waiting: 500, later: 1_000 }
const maxBytes = 512 * 1024

/**
 * What stands beside a video at its origin: chapters, and how many like it. Read behind what changes the video, and left out
 * when there is too much of it.
 */
export const makeVideoExtras = Effect.fnUntraced(function* (
  objects: RemoteObjects["Service"],
  rows: RemoteVideoRows["Service"]
) {
  const flights = yield* makeFlights<void, never>()
  const turns = yield* Semaphore.make(limits.atOnce)
  const looked = new Map<string, number>()
  let waiting = 0
  let later = 0

  /** What is found must be of the video's origin too: an address may lead on to another. */
  const ofItsOrigin = Effect.fnUntraced(function* (url: string, types: ReadonlyArray<string>) {
    const object = yield* objects.fetch(url, { types, maxBytes })
    if (sameOrigin(object.id, url)) return object
    return yield* new ObjectRefused({ url, why: "authority", detail: "leads to another origin" })
  })

  const chapters = (video: VideoObject, videoId: number) => {
    if (video.chapters !== null) return rows.setChapters(videoId, video.chapters)
    if (video.chaptersUrl === null) return Effect.void
    return Effect.flatMap(ofItsOrigin(video.chaptersUrl, []), ({ hasPart }) =>
      rows.setChapters(videoId, readChapters(hasPart))
    )
  }

  const total = (url: string | null) =>
    url === null
      ? Effect.succeed(null)
      : Effect.map(
          ofItsOrigin(url, ["Collection", "OrderedCollection"]),
          (object) => readCollection(object, url).totalItems
        ).pipe(Effect.orElseSucceed(() => null))

  const ratings = Effect.fnUntraced(function* (video: VideoObject, videoId: number) {
    const likes = yield* total(video.likesUrl)
    const dislikes = yield* total(video.dislikesUrl)
    if (likes !== null || dislikes !== null) yield* rows.setRatings(videoId, { likes, dislikes })
  })

  /** What changes again meanwhile is read at the end of the pause. */
  const after = (millis: number, work: Effect.Effect<void>): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (later >= limits.later) return Effect.void
      later++
      return Effect.delay(work, millis).pipe(Effect.ensuring(Effect.sync(() => later--)))
    })

  /** `counted`: the video was just asked for, and not sent to us, and so are its likes. */
  const look: (video: VideoObject, videoId: number, counted: boolean) => Effect.Effect<void> = Effect.fnUntraced(
    function* (video, videoId, counted) {
      if (!counted && video.chapters === null && video.chaptersUrl === null) return
      const now = yield* Clock.currentTimeMillis
      if (waiting >= limits.waiting) return
      const rest = (looked.get(video.id) ?? 0) + pause - now
      // What stands in the video itself costs its origin nothing.
      if (!counted && rest > 0 && video.chapters === null)
        return void flights.begin(`later ${video.id}`, after(rest, look(video, videoId, false)))
      looked.delete(video.id)
      if (looked.size >= maxRemembered) looked.delete(looked.keys().next().value!)
      looked.set(video.id, now)
      const work = Effect.ignore(chapters(video, videoId)).pipe(
        Effect.andThen(counted ? Effect.ignore(ratings(video, videoId)) : Effect.void),
        turns.withPermit
      )
      // Counted once it is this that is begun, and not one that is on its way already.
      const begun = Effect.suspend(() => {
        waiting++
        return Effect.ensuring(
          work,
          Effect.sync(() => waiting--)
        )
      })
      flights.begin(`${counted} ${video.id}`, begun)
    }
  )
  return look
})
