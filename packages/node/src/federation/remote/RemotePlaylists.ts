import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { originOf, sameOrigin } from "@kinora/federation/authority/Authority"
import { collectionTypes, readCollection } from "@kinora/federation/objects/Collection"
import { isObject, type Json, type JsonObject } from "@kinora/federation/vocabulary/Json"
import {
  decodePlaylist,
  decodePlaylistElement,
  type PlaylistElementObject,
  type PlaylistObject
} from "@kinora/federation/objects/PlaylistObject"
import {
  type KeptPlaylist,
  type NewRemoteElement,
  RemotePlaylistRows
} from "@kinora/storage/federation/remote/RemotePlaylistRows"
import { RemoteVideoRows } from "@kinora/storage/federation/remote/RemoteVideoRows"
import { Clock, Context, Effect, Layer, Result, Semaphore } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { makeFlights } from "./Flights.ts"
import { makeReadings } from "./Readings.ts"
import { RemoteActors } from "./RemoteActors.ts"
import { ObjectRefused, ObjectUnavailable, type RemoteFailure } from "./RemoteErrors.ts"
import { RemoteObjects } from "./RemoteObjects.ts"
import { thumbnailOf } from "./RemotePictures.ts"
import { RemoteVideos } from "./RemoteVideos.ts"

export interface RemotePlaylist {
  readonly id: number
  readonly uuid: string
}

/** Milliseconds after which a playlist is fetched again (contract: activitypub.json, refresh.playlistMs). */
const staleAfter = 172_800_000
/** What is read of one playlist at most, and in how many milliseconds (corpus AP-05). */
const limits = { pages: 20, elements: 200, millis: 120_000 }
const maxBytes = 256 * 1024
/** Playlists whose elements are read at once, and those that may wait for it. */
const readers = { atOnce: 4, waiting: 500 }
/** Milliseconds between two readings of one that is sent to us: at least, and for each of its elements. */
const pauses = { least: 1_000, each: 50 }
/** Milliseconds to wait where there is too much to read. */
const retryAfterMillis = 60_000

/** Playlists of channels of other instances. */
export class RemotePlaylists extends Context.Service<
  RemotePlaylists,
  {
    /** The playlist at an address with its elements: as it is kept, or fetched; an old one is fetched behind. */
    readonly byUrl: (
      url: string,
      options?: { readonly refresh?: boolean }
    ) => Effect.Effect<RemotePlaylist, RemoteFailure>
    /**
     * A Playlist that may be believed. Its elements are fetched from its origin behind, a bounded number of them, and once in a
     * while; their videos are fetched where they are of this origin, and taken where they are known.
     */
    readonly upsert: (object: JsonObject) => Effect.Effect<RemotePlaylist, RemoteFailure>
    /** False when it was not known. */
    readonly remove: (url: string) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/node/remote/RemotePlaylists") {
  static readonly layer = Layer.effect(
    RemotePlaylists,
    Effect.gen(function* () {
      const { derived } = yield* KinoraConfig
      const objects = yield* RemoteObjects
      const actors = yield* RemoteActors
      const videos = yield* RemoteVideos
      const videoRows = yield* RemoteVideoRows
      const rows = yield* RemotePlaylistRows
      const ours = originOf(derived.origin)!
      const flights = yield* makeFlights<KeptPlaylist, RemoteFailure>()
      const readings = yield* makeFlights<void, RemoteFailure>()
      const turns = yield* Semaphore.make(readers.atOnce)
      const sent = yield* makeReadings({ atOnce: readers.atOnce, most: readers.waiting })
      let waiting = 0

      const refused = (url: string, why: ObjectRefused["why"], detail: string) =>
        new ObjectRefused({ url, why, detail })

      const write = Effect.fnUntraced(function* (
        object: JsonObject,
        asked: boolean
      ): Effect.fn.Return<KeptPlaylist | undefined, RemoteFailure> {
        const decoded = decodePlaylist(object)
        if (Result.isFailure(decoded)) return yield* refused(String(object["id"]), "document", decoded.failure.why)
        const { id, owners, picture, privacy, ...rest }: PlaylistObject = decoded.success
        if (originOf(id) === ours) return yield* refused(id, "address", "of this instance")
        const owner = yield* actors.byUrl(owners[0]!)
        const home = owner.channelId === null ? { accountId: owner.accountId ?? 0 } : { channelId: owner.channelId }
        const playlist = {
          ...rest,
          url: id,
          isPublic: privacy === "public",
          picture: picture === null ? null : thumbnailOf(picture)
        }
        return yield* rows.upsert(home, playlist, asked)
      })

      /** Elements as the playlist's pages have them: addresses, or the elements themselves. */
      const listed = Effect.fnUntraced(function* (playlist: JsonObject, url: string) {
        const items: Array<Json> = []
        const visited = new Set([url])
        let part = readCollection(playlist, url)
        for (let page = 0; page < limits.pages; page++) {
          items.push(...part.items)
          const { next } = part
          if (next === null || visited.has(next) || items.length >= limits.elements) break
          visited.add(next)
          const found = yield* objects.fetch(next, { types: ["Playlist", ...collectionTypes] })
          // An address may lead on to another origin.
          if (!sameOrigin(found.id, url)) break
          part = readCollection(found, url)
        }
        return items.slice(0, limits.elements)
      })

      const elementOf = Effect.fnUntraced(function* (item: Json, url: string) {
        const address = typeof item === "string" ? item : null
        if (address !== null && !sameOrigin(address, url)) return undefined
        const object = address === null ? item : yield* objects.fetch(address, { types: ["PlaylistElement"], maxBytes })
        if (!isObject(object)) return undefined
        const element = decodePlaylistElement(object, url)
        return Result.isSuccess(element) ? element.success : undefined
      })

      const videoIdOf = Effect.fnUntraced(function* (element: PlaylistElementObject, url: string) {
        const known = yield* videoRows.byUrl(element.url)
        if (known !== undefined) return known.federated ? known.id : undefined
        return sameOrigin(element.url, url) ? (yield* videos.byUrl(element.url)).id : undefined
      })

      /** What cannot be had is left out; an element alone makes nothing of the rest wrong. */
      const optional = <A>(effect: Effect.Effect<A | undefined, RemoteFailure>) =>
        Effect.catchTag(effect, ["ObjectRefused", "ObjectUnavailable"], () => Effect.succeed(undefined))

      const readElements = Effect.fn("RemotePlaylists.readElements")(function* (
        object: JsonObject,
        kept: KeptPlaylist
      ) {
        const { id, url } = kept
        const found = yield* Effect.forEach(
          yield* listed(object, url),
          (item) =>
            optional(
              Effect.gen(function* () {
                const element = yield* elementOf(item, url)
                const videoId = element === undefined ? undefined : yield* videoIdOf(element, url)
                return element === undefined || videoId === undefined ? undefined : { element, videoId }
              })
            ),
          { concurrency: 4 }
        )
        const elements = found
          .filter((it) => it !== undefined)
          .sort((a, b) => a.element.position - b.element.position)
          .map(({ element: { id, start, stop }, videoId }): NewRemoteElement => ({ url: id, videoId, start, stop }))
        yield* rows.setElements(id, elements)
        return found.length
      })

      const bounded = (work: Effect.Effect<void, RemoteFailure>) =>
        Effect.suspend(() => {
          waiting++
          return Effect.ensuring(
            work,
            Effect.sync(() => waiting--)
          )
        })

      /** Answers how many elements were read. */
      const timed = (object: JsonObject, kept: KeptPlaylist) =>
        Effect.timeoutOrElse(readElements(object, kept), {
          duration: limits.millis,
          orElse: () => Effect.succeed(limits.elements)
        })

      const inTurn = (object: JsonObject, kept: KeptPlaylist) => Effect.asVoid(turns.withPermit(timed(object, kept)))

      /** One with many elements costs many fetches, and is left alone for longer. */
      const readBehind = (object: JsonObject, kept: KeptPlaylist) =>
        sent.request(
          kept.url,
          timed(object, kept).pipe(
            Effect.orElseSucceed(() => 0),
            Effect.map((count) => Math.max(pauses.least, count * pauses.each))
          )
        )

      const load = Effect.fn("RemotePlaylists.load")(function* (url: string) {
        const object = yield* objects.fetch(url, { types: ["Playlist"] })
        const kept = yield* write(object, true)
        if (kept === undefined) return yield* refused(url, "authority", "not of whom it says")
        if (waiting >= readers.waiting) {
          return yield* new ObjectUnavailable({
            url,
            detail: "too much to read",
            retryAfterMillis,
            asked: false
          })
        }
        yield* readings.join(`asked ${url}`, bounded(inTurn(object, kept)))
        return kept
      })

      const fetched = (url: string): Effect.Effect<KeptPlaylist, RemoteFailure> => flights.join(url, load(url))

      const upsert = Effect.fn("RemotePlaylists.upsert")(function* (object: JsonObject) {
        const kept = yield* write(object, false)
        // That it goes from one account to another is for its origin to say.
        if (kept === undefined) return yield* load(String(object["id"]))
        yield* readBehind(object, kept)
        return kept
      })

      const byUrl = Effect.fn("RemotePlaylists.byUrl")(function* (
        url: string,
        options: { readonly refresh?: boolean } = {}
      ) {
        const origin = originOf(url)
        if (origin === null) return yield* refused(url, "address", "no address of the web")
        if (origin === ours) return yield* refused(url, "address", "of this instance")
        if (options.refresh === true) return yield* fetched(url)
        const kept = yield* rows.byUrl(url)
        if (kept === undefined) return yield* fetched(url)
        if ((yield* Clock.currentTimeMillis) - kept.fetchedAt > staleAfter) {
          flights.begin(
            url,
            Effect.catch(load(url), () => Effect.as(Effect.ignore(rows.touch(kept.id)), kept))
          )
        }
        return kept
      })

      return RemotePlaylists.of({ byUrl, upsert, remove: rows.remove })
    })
  )
}
