import { collectionTypes, readCollection } from "@kinora/federation/objects/Collection"
import { identifierOf } from "@kinora/federation/vocabulary/Reading"
import { RemoteCommentRows } from "@kinora/storage/federation/remote/RemoteCommentRows"
import { RemoteVideoRows } from "@kinora/storage/federation/remote/RemoteVideoRows"
import { Clock, Duration, Effect, Layer, Semaphore } from "effect"
import { RemoteThreads } from "../../video/view/RemoteThreads.ts"
import { makeFlights } from "./Flights.ts"
import { RemoteComments } from "./RemoteComments.ts"
import type { RemoteFailure } from "./RemoteErrors.ts"
import { RemoteObjects } from "./RemoteObjects.ts"
import { RemoteVideos } from "./RemoteVideos.ts"

/** What is read below one video at a time, and for how long. */
const limits = { pages: 50, comments: 100, time: Duration.minutes(2) }
/** Videos whose comments are read at once; more wait, and beyond so many nobody reads. */
const atOnce = 2
const mostWaiting = 100
/** Milliseconds before the comments of a video are looked for again, and videos that are remembered for it. */
const pause = 3_600_000
const maxRemembered = 10_000

/** Reads the comments of a watched remote video in the background. */
export const remoteThreads = Layer.effect(
  RemoteThreads,
  Effect.gen(function* () {
    const objects = yield* RemoteObjects
    const videos = yield* RemoteVideos
    const comments = yield* RemoteComments
    const videoRows = yield* RemoteVideoRows
    const commentRows = yield* RemoteCommentRows
    const flights = yield* makeFlights<void, RemoteFailure>()
    const turns = yield* Semaphore.make(atOnce)
    const read = new Map<number, number>()
    let waiting = 0

    /** One comment that cannot be had makes nothing of the rest wrong. */
    const keep = (url: string) =>
      comments.byUrl(url).pipe(Effect.catchTag(["ObjectRefused", "ObjectUnavailable"], () => Effect.void))

    const readAll = Effect.fn("RemoteThreads.readAll")(function* (first: string) {
      const visited = new Set<string>()
      let next: string | null = first
      let left = limits.comments
      while (next !== null && !visited.has(next) && visited.size < limits.pages && left > 0) {
        visited.add(next)
        const page: string = next
        const part = readCollection(yield* objects.fetch(page, { types: collectionTypes }), first)
        const urls = part.items.flatMap((it) => identifierOf(it) ?? [])
        const unknown = (yield* commentRows.unknown(urls)).slice(0, left)
        left -= unknown.length
        for (const url of unknown) yield* keep(url)
        next = part.next
      }
    })

    const watched = Effect.fn("RemoteThreads.watched")(function* (videoId: number) {
      yield* videos.watched(videoId)
      const now = yield* Clock.currentTimeMillis
      if (waiting >= mostWaiting || (read.get(videoId) ?? 0) > now - pause) return
      read.delete(videoId)
      if (read.size >= maxRemembered) read.delete(read.keys().next().value!)
      read.set(videoId, now)
      const url = yield* videoRows.commentsUrl(videoId)
      if (url === undefined) return
      const reading = turns.withPermit(
        Effect.timeoutOrElse(readAll(url), { duration: limits.time, orElse: () => Effect.void })
      )
      // Counted once it is this that is begun, and not one that is on its way already.
      const begun = Effect.suspend(() => {
        waiting++
        return Effect.ensuring(
          reading,
          Effect.sync(() => waiting--)
        )
      })
      flights.begin(url, begun)
    })

    return RemoteThreads.of({ watched })
  })
)
