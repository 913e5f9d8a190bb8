import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { originOf } from "@kinora/federation/authority/Authority"
import type { JsonObject } from "@kinora/federation/vocabulary/Json"
import { decodeVideo, isForSome, type VideoObject } from "@kinora/federation/objects/VideoObject"
import type { WrittenVideo } from "@kinora/storage/federation/remote/NewRemoteVideo"
import { type KeptVideo, RemoteVideoRows } from "@kinora/storage/federation/remote/RemoteVideoRows"
import { Clock, Context, Effect, Layer, Result } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { makeFlights } from "./Flights.ts"
import { newVideo, ownersAmong, type VideoOwners } from "./NewVideo.ts"
import { type RemoteActor, RemoteActors } from "./RemoteActors.ts"
import { ObjectRefused, type RemoteFailure } from "./RemoteErrors.ts"
import { RemoteObjects } from "./RemoteObjects.ts"
import { makeVideoExtras } from "./VideoExtras.ts"

export interface RemoteVideo {
  readonly id: number
  readonly channelActorId: number
}

/** A video that was sent, and whose it is. */
export interface SentVideo {
  readonly video: VideoObject
  readonly owner: VideoOwners
}

/** Milliseconds for which one that is watched is not looked at again, and how many are remembered for it. */
const lookAgainAfter = 600_000
const maxLooked = 10_000

/** Milliseconds after which a video is fetched again (contract: activitypub.json, refresh.videoMs). */
const staleAfter = 172_800_000

/** Videos of other instances, in the tables of our own: lists, pages and players show them and play from their origin. */
export class RemoteVideos extends Context.Service<
  RemoteVideos,
  {
    /**
     * The video at an address: as it is kept, or fetched; an old one is given as it is and fetched behind, with `refresh` it
     * is fetched now. Refuses addresses of ours. What is fetched is written in a transaction of its own.
     */
    readonly byUrl: (url: string, options?: { readonly refresh?: boolean }) => Effect.Effect<RemoteVideo, RemoteFailure>
    /**
     * A Video that may be believed (`Authority.checkActivity`, or fetched): what is kept of it becomes this. Its account and
     * channel are of its origin, and fetched where they are not known. What is older than what is known changes nothing.
     * `sender`: an actor that was looked up just now, since it sent it.
     */
    readonly upsert: (object: JsonObject, sender?: RemoteActor) => Effect.Effect<RemoteVideo, RemoteFailure>
    /**
     * Writes videos as they were sent, no address twice among them, in the caller's transaction: as `upsert` does, of people
     * who are known. Answers their rows in the same order; undefined where one cannot be written as it is.
     */
    readonly writeAll: (
      sent: ReadonlyArray<SentVideo>
    ) => Effect.Effect<ReadonlyArray<WrittenVideo | undefined>, DatabaseUnavailable>
    /** It was written, as it was sent: what stands beside it at its origin is read behind. */
    readonly written: (video: VideoObject, as: WrittenVideo) => Effect.Effect<void>
    /** Somebody watches it here: an old one is fetched behind. */
    readonly watched: (videoId: number) => Effect.Effect<void, DatabaseUnavailable>
    /** False when it was not known. */
    readonly remove: (url: string) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/node/remote/RemoteVideos") {
  static readonly layer = Layer.effect(
    RemoteVideos,
    Effect.gen(function* () {
      const { derived } = yield* KinoraConfig
      const objects = yield* RemoteObjects
      const actors = yield* RemoteActors
      const rows = yield* RemoteVideoRows
      const ours = originOf(derived.origin)!
      const flights = yield* makeFlights<RemoteVideo, RemoteFailure>()
      const looked = new Map<number, number>()
      const readExtras = yield* makeVideoExtras(objects, rows)

      const refused = (url: string, why: ObjectRefused["why"], detail: string) =>
        new ObjectRefused({ url, why, detail })

      /** The channel among whom it is attributed to, and the account it belongs to. */
      const ownersOf = Effect.fnUntraced(function* (video: VideoObject, sender?: RemoteActor) {
        const found: Array<RemoteActor> = []
        for (const owner of video.owners) found.push(sender?.url === owner ? sender : yield* actors.byUrl(owner))
        const owners = ownersAmong(found)
        if (Result.isFailure(owners)) return yield* refused(video.id, owners.failure.why, owners.failure.detail)
        return owners.success
      })

      const write = Effect.fnUntraced(function* (
        object: JsonObject,
        asked: boolean,
        sender?: RemoteActor
      ): Effect.fn.Return<RemoteVideo | undefined, RemoteFailure> {
        const decoded = decodeVideo(object)
        const id = String(object["id"])
        if (Result.isFailure(decoded)) return yield* refused(id, "document", decoded.failure.why)
        const video = decoded.success
        if (originOf(video.id) === ours) return yield* refused(id, "address", "of this instance")
        const owner = yield* ownersOf(video, sender)
        const written = yield* rows.upsert({ owner, video: newVideo(video), asked })
        if (written === undefined) return undefined
        // Nobody has rated what is sent for the first time.
        yield* readExtras(video, written.id, asked || !written.isNew)
        return { id: written.id, channelActorId: owner.channelActorId }
      })

      const load = Effect.fn("RemoteVideos.load")(function* (url: string) {
        const object = yield* objects.fetch(url, { types: ["Video"] })
        // It was for everybody before.
        if (isForSome(object)) yield* rows.remove(object.id)
        const kept = yield* write(object, true)
        return kept ?? (yield* refused(url, "authority", "not of whom it says"))
      })

      /** That it goes from one account to another, or away, is for its origin to say, not for whoever sends it. */
      const upsert = Effect.fn("RemoteVideos.upsert")(function* (object: JsonObject, sender?: RemoteActor) {
        const kept = isForSome(object) ? undefined : yield* write(object, false, sender)
        return kept ?? (yield* load(String(object["id"])))
      })

      const fetched = (url: string): Effect.Effect<RemoteVideo, RemoteFailure> => flights.join(url, load(url))

      /** What is gone at its origin is gone here; what cannot be had stays as it is until its time comes again. */
      const refreshBehind = (video: KeptVideo) =>
        Effect.sync(() => {
          const gone = (error: RemoteFailure) => error._tag === "ObjectRefused" && error.why === "gone"
          const settled = (error: RemoteFailure) =>
            Effect.as(
              Effect.ignore(gone(error) ? Effect.asVoid(rows.remove(video.url)) : rows.touch(video.id)),
              video as RemoteVideo
            )
          flights.begin(video.url, Effect.catch(load(video.url), settled))
        })

      const byUrl = Effect.fn("RemoteVideos.byUrl")(function* (
        url: string,
        options: { readonly refresh?: boolean } = {}
      ) {
        const origin = originOf(url)
        if (origin === null) return yield* refused(url, "address", "no address of the web")
        if (origin === ours) return yield* refused(url, "address", "of this instance")
        if (options.refresh === true) return yield* fetched(url)
        const kept = yield* rows.byUrl(url)
        if (kept === undefined) return yield* fetched(url)
        if ((yield* Clock.currentTimeMillis) - kept.fetchedAt > staleAfter) yield* refreshBehind(kept)
        return kept
      })

      const watched = Effect.fn("RemoteVideos.watched")(function* (videoId: number) {
        const now = yield* Clock.currentTimeMillis
        if ((looked.get(videoId) ?? 0) > now - lookAgainAfter) return
        looked.delete(videoId)
        if (looked.size >= maxLooked) looked.delete(looked.keys().next().value!)
        looked.set(videoId, now)
        const kept = yield* rows.byId(videoId)
        if (kept?.remote === true && now - kept.fetchedAt > staleAfter) yield* refreshBehind(kept)
      })

      return RemoteVideos.of({
        ...{ byUrl, upsert, watched, remove: rows.remove },
        writeAll: (sent) =>
          rows.upsertAll(sent.map(({ owner, video }) => ({ owner, video: newVideo(video), asked: false }))),
        written: (video, { id, isNew }) => readExtras(video, id, !isNew)
      })
    })
  )
}
