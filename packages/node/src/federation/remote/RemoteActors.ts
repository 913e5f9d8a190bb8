import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { originOf, sameOrigin } from "@kinora/federation/authority/Authority"
import type { KeyLookup } from "@kinora/federation/signatures/VerifyRequest"
import { type ActorObject, actorTypes, decodeActor } from "@kinora/federation/objects/ActorObject"
import type { JsonObject } from "@kinora/federation/vocabulary/Json"
import { type KeptActor, type RemoteActor, RemoteActorRows } from "@kinora/storage/federation/remote/RemoteActorRows"
import type { NewRemoteActor } from "@kinora/storage/federation/remote/NewRemoteActor"
import { RemoteDepartures } from "@kinora/storage/federation/remote/RemoteDepartures"
import { Clock, Context, Effect, Layer, Result } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { makeFlights } from "./Flights.ts"
import { ObjectRefused, type RemoteFailure } from "./RemoteErrors.ts"
import { makeReadings } from "./Readings.ts"
import { makeRemoteKeys } from "./RemoteKeys.ts"
import { RemoteObjects } from "./RemoteObjects.ts"
import { avatarOf, bannerOf } from "./RemotePictures.ts"
import { totalOf } from "./Totals.ts"

export type { RemoteActor } from "@kinora/storage/federation/remote/RemoteActorRows"

/** Milliseconds after which an actor is fetched again (contract: activitypub.json, refresh.actorMs). */
const staleAfter = 172_800_000
const maxBytes = 256 * 1024
/** For an actor: nobody says much, and many wait for it. */
const wholeMillis = 15_000
/** Groups belong to somebody who belongs to nobody: no chain of groups is walked. */
const ownerTypes = actorTypes.filter((it) => it !== "Group")

const newActor = (actor: ActorObject): NewRemoteActor => {
  const { avatars, banners, id, owners: _owners, ...rest } = actor
  return {
    ...rest,
    url: id,
    publicKey: actor.keys.find((it) => it.kind === "pem")?.value ?? "",
    avatars: avatars.map(avatarOf),
    banners: banners.map(bannerOf)
  }
}

/** Actors of other instances: kept as accounts and channels, fetched when first needed, and again when they are old. */
export class RemoteActors extends Context.Service<
  RemoteActors,
  {
    /**
     * The actor at an address: as it is kept, or fetched. Many who ask for one that is not known wait for one fetch. An old
     * one is given as it is, and fetched behind; with `refresh` it is fetched now. Refuses addresses of ours, and those that
     * lead to another origin. What is fetched is written in a transaction of its own, never in the caller's.
     */
    readonly byUrl: (url: string, options?: { readonly refresh?: boolean }) => Effect.Effect<RemoteActor, RemoteFailure>
    /** As it is kept, without asking anybody; undefined when it is not known. */
    readonly known: (url: string) => Effect.Effect<RemoteActor | undefined, DatabaseUnavailable>
    /** Those of these that are kept, by address, without waiting for anybody; old ones are fetched behind, as by `byUrl`. */
    readonly knownOf: (
      urls: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, RemoteActor>, DatabaseUnavailable>
    /**
     * For `verifyRequest`: the parsed key with this id, and whose it is, proved both ways. Whose it is is not kept for that:
     * anybody may name keys. `client`: the address of who asks.
     */
    readonly key: (client?: string) => KeyLookup
    /**
     * An actor has proved to be there by a signature: what its key was found in is kept. Of groups behind, since their owners
     * are asked for.
     */
    readonly proved: (url: string) => Effect.Effect<void>
    /** An actor's own document, believed (`Authority.checkActivity`) or fetched: what is kept of it becomes this. */
    readonly applyUpdate: (object: JsonObject) => Effect.Effect<RemoteActor, RemoteFailure>
    /** The actor is gone, and all that hangs on it, if not at once then soon. False when it was not known. */
    readonly remove: (url: string) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/node/remote/RemoteActors") {
  static readonly layer = Layer.effect(
    RemoteActors,
    Effect.gen(function* () {
      const { derived, federation } = yield* KinoraConfig
      const objects = yield* RemoteObjects
      const rows = yield* RemoteActorRows
      const departures = yield* RemoteDepartures
      const ours = originOf(derived.origin)!
      // Fetches outlive whoever asked first, and know nothing of the asker's transaction.
      const flights = yield* makeFlights<RemoteActor, RemoteFailure>()
      const counts = yield* makeReadings({ atOnce: 4, most: 1_000 })
      const total = totalOf(objects)

      const refused = (url: string, why: ObjectRefused["why"], detail: string) =>
        new ObjectRefused({ url, why, detail })

      /** The account a group belongs to; null where it says of nobody we could name, as communities elsewhere do. */
      const ownerOf = Effect.fnUntraced(function* (actor: ActorObject) {
        const [owner] = actor.owners
        if (actor.type !== "Group" || owner === undefined || owner === actor.id) return null
        const kept = yield* rows.byUrl(owner)
        if (kept !== undefined) return kept.accountId
        const found = yield* Effect.result(flights.join(`owner ${owner}`, load(owner, ownerTypes)))
        if (Result.isSuccess(found)) return found.success.accountId
        if (found.failure._tag === "ObjectRefused" && found.failure.why === "document") return null
        return yield* found.failure
      })

      const read = Effect.fnUntraced(function* (object: JsonObject) {
        const decoded = decodeActor(object)
        const id = String(object["id"])
        if (Result.isFailure(decoded)) return yield* refused(id, "document", decoded.failure.why)
        if (originOf(decoded.success.id) === ours) return yield* refused(id, "address", "of this instance")
        return decoded.success
      })

      /** How many follow an actor stands beside it at its origin, and is shown of channels and of whom somebody here follows. */
      const readCounts = Effect.fnUntraced(function* ({ followers, following }: ActorObject, actorId: number) {
        if (!(yield* rows.showsCounts(actorId))) return
        yield* rows.setCounts(actorId, { followers: yield* total(followers), following: yield* total(following) })
      })

      const write = Effect.fnUntraced(function* (actor: ActorObject): Effect.fn.Return<RemoteActor, RemoteFailure> {
        const kept = yield* rows.upsert(newActor(actor), yield* ownerOf(actor))
        if (kept === undefined) return yield* refused(actor.id, "authority", "cannot become what it says")
        keys.forget(actor.id)
        yield* counts.request(actor.id, Effect.ignore(readCounts(actor, kept.id)))
        return kept
      })

      const applyUpdate = Effect.fn("RemoteActors.applyUpdate")(function* (
        object: JsonObject
      ): Effect.fn.Return<RemoteActor, RemoteFailure> {
        return yield* write(yield* read(object))
      })

      const load = Effect.fn("RemoteActors.load")(function* (url: string, types: ReadonlyArray<string> = actorTypes) {
        const object = yield* objects.fetch(url, { types, maxBytes, wholeMillis })
        // An address of one origin that leads to somebody of another would let things of the one be attributed to the other.
        if (!sameOrigin(object.id, url)) return yield* refused(url, "authority", "leads to another origin")
        return yield* applyUpdate(object)
      })

      const fetched = (url: string): Effect.Effect<RemoteActor, RemoteFailure> => flights.join(url, load(url))

      /** What cannot be had again stays as it is, and is not asked for again before its time. */
      const refreshBehind = (actor: KeptActor) =>
        Effect.sync(() => {
          const touched = Effect.as(Effect.ignore(rows.touch(actor.id)), actor as RemoteActor)
          flights.begin(
            actor.url,
            Effect.catch(load(actor.url), () => touched)
          )
        })

      const byUrl = Effect.fn("RemoteActors.byUrl")(function* (
        url: string,
        options: { readonly refresh?: boolean } = {}
      ): Effect.fn.Return<RemoteActor, RemoteFailure> {
        const origin = originOf(url)
        if (origin === null) return yield* refused(url, "address", "no address of the web")
        if (origin === ours) return yield* refused(url, "address", "of this instance")
        if (options.refresh === true) return yield* fetched(url)
        const kept = yield* rows.byUrl(url)
        if (kept === undefined) {
          const young = yield* keys.document(url)
          return yield* young === undefined ? fetched(url) : flights.join(url, write(young))
        }
        if ((yield* Clock.currentTimeMillis) - kept.fetchedAt > staleAfter) yield* refreshBehind(kept)
        return kept
      })

      const knownOf = Effect.fnUntraced(function* (urls: ReadonlyArray<string>) {
        const now = yield* Clock.currentTimeMillis
        const known = new Map<string, RemoteActor>()
        for (const kept of yield* rows.byUrls(urls)) {
          known.set(kept.url, kept)
          if (now - kept.fetchedAt > staleAfter) yield* refreshBehind(kept)
        }
        return known
      })

      const keys = yield* makeRemoteKeys(rows, objects, { read, minRsaBits: federation.min_rsa_bits }, ours)

      const proved = (url: string) =>
        Effect.flatMap(keys.document(url), (young) => {
          if (young === undefined) return Effect.void
          // Whoever needs it later asks again.
          if (young.type !== "Group") return Effect.ignore(flights.join(url, write(young)))
          return Effect.sync(() => void flights.begin(url, write(young)))
        })

      const remove = Effect.fn("RemoteActors.remove")(function* (url: string) {
        keys.forget(url)
        return yield* departures.begin(url)
      })

      return RemoteActors.of({ byUrl, known: rows.byUrl, knownOf, key: keys.lookup, proved, applyUpdate, remove })
    })
  )
}
