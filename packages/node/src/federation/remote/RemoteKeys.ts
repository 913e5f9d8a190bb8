import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { originOf, ownsKey, sameOrigin } from "@kinora/federation/authority/Authority"
import { fromMultibase, fromPem } from "@kinora/federation/signatures/PublicKeys"
import { SignatureRefused } from "@kinora/federation/signatures/SignatureRefused"
import type { VerificationKey } from "@kinora/federation/signatures/VerificationKey"
import type { KeyLookup } from "@kinora/federation/signatures/VerifyRequest"
import { makeNetworkPlaces } from "@kinora/federation/fetch/NetworkPlaces"
import { type ActorKey, type ActorObject, actorTypes } from "@kinora/federation/objects/ActorObject"
import type { JsonObject } from "@kinora/federation/vocabulary/Json"
import { identifierOf } from "@kinora/federation/vocabulary/Reading"
import type { RemoteActorRows } from "@kinora/storage/federation/remote/RemoteActorRows"
import { Clock, Effect, Result, type Scope, Semaphore } from "effect"
import { makeFlights } from "./Flights.ts"
import { keyAskers } from "./KeyAskers.ts"
import { type ObjectRefused, ObjectUnavailable, type RemoteFailure } from "./RemoteErrors.ts"
import type { RemoteObjects } from "./RemoteObjects.ts"

const maxKeys = 10_000
const maxRefusals = 20_000
/** Milliseconds for which what could not be had is not asked for again. */
const refusedFor = 5 * 60_000
const unavailableFor = 60_000
/** Milliseconds for a document that holds a key, and for a place to ask for it. */
const patience = 5_000
/** Such documents that are asked for at once: whoever names a key has proved nothing yet. */
const places = 16
/** Of these places, how many one network may hold, whatever its hosts are called. */
const placesOfNetwork = 4
/** Bytes of a document that holds a key. */
const maxBytes = 256 * 1024
/** Actors whose signature is not verified yet, and milliseconds for which their documents are as new as asked for. */
const maxUnverified = 1_000
const newFor = 60_000

interface Refusal {
  readonly until: number
  readonly refused: SignatureRefused
}

/** Where a key is asked for: without the fragment, of which one could make any number for one address. */
const placeOf = (keyId: string): string => {
  const hash = keyId.indexOf("#")
  return hash < 0 ? keyId : keyId.slice(0, hash)
}

/** A Map that forgets what was put in first. */
const put = <A>(map: Map<string, A>, key: string, value: A, most: number) => {
  map.delete(key)
  if (map.size >= most) map.delete(map.keys().next().value!)
  map.set(key, value)
}

const isDatabase = (error: RemoteFailure): error is DatabaseUnavailable => error._tag === "DatabaseUnavailable"

/** How an answer to a signature is to be when its key cannot be had, and for how long; 0 is not to be remembered. */
const verdict = (error: RemoteFailure): { readonly refused: SignatureRefused; readonly forMillis: number } => {
  if (isDatabase(error)) {
    return { refused: new SignatureRefused({ status: 503, why: "not possible at the moment" }), forMillis: 0 }
  }
  if (error._tag === "ObjectUnavailable") {
    return {
      refused: new SignatureRefused({ status: 503, why: "the key cannot be fetched at the moment" }),
      forMillis: error.asked ? unavailableFor : 0
    }
  }
  const why = error.why === "gone" ? "the key is gone" : "the key cannot be believed"
  return { refused: new SignatureRefused({ status: 403, why }), forMillis: refusedFor }
}

/** A key as it is used; fails with what is wrong with it. */
const parsed = (key: ActorKey, owner: string, minRsaBits: number): Result.Result<VerificationKey, string> => {
  const found = key.kind === "pem" ? fromPem(key.value, minRsaBits) : fromMultibase(key.value, minRsaBits)
  if (Result.isFailure(found)) return Result.fail(found.failure.why)
  // What was kept was proved when its actor was read; the row is held against the rule again, which costs nothing.
  return ownsKey(owner, { id: key.id, owner })
    ? Result.succeed({ id: key.id, owner, key: found.success })
    : Result.fail("the key is not its owner's")
}

/** Whether a key's id is below an actor's address, and so nobody else's (as `RemoteActorParts` has it). */
const isBelow = (keyId: string, actor: string): boolean =>
  keyId === actor || keyId.startsWith(`${actor}#`) || keyId.startsWith(`${actor}/`)

/** What finding keys needs of actors. */
export interface KeyActors {
  /** An actor's own document, read and not kept. */
  readonly read: (object: JsonObject) => Effect.Effect<ActorObject, ObjectRefused>
  /** Bits that an RSA key has at least (`federation.min_rsa_bits`). */
  readonly minRsaBits: number
}

export interface RemoteKeys {
  /** `client`: whose request names the key, by address; who does so in vain too often is refused. */
  readonly lookup: (client: string | undefined) => KeyLookup
  /** What was kept parsed of an actor is read anew. */
  readonly forget: (actorUrl: string) => void
  /** The document of an actor that was fetched for its key just now; it is given once. */
  readonly document: (actorUrl: string) => Effect.Effect<ActorObject | undefined>
}

/**
 * Keys of actors elsewhere by their ids: kept parsed, read from rows, else from the key's own address within the budget of its host
 * (`GuardedFetch`). What could not be had is remembered for minutes, so that a thousand ids of a dead host cost little
 * (corpus AP-17). A known key is fetched again at most once in five minutes. Nothing is written: whose key it is has to be
 * proved by a signature first.
 */
export const makeRemoteKeys = Effect.fnUntraced(function* (
  rows: RemoteActorRows["Service"],
  objects: RemoteObjects["Service"],
  actors: KeyActors,
  ours: string
): Effect.fn.Return<RemoteKeys, never, Scope.Scope> {
  const flights = yield* makeFlights<ActorObject | undefined, RemoteFailure>()
  const lookups = yield* makeFlights<VerificationKey, SignatureRefused>()
  const turns = yield* Semaphore.make(places)
  const admit = makeNetworkPlaces({ concurrency: placesOfNetwork, maxWaitMillis: patience })
  const askers = keyAskers()
  const unverified = new Map<string, { readonly actor: ActorObject; readonly until: number }>()
  const keys = new Map<string, VerificationKey>()
  const refusals = new Map<string, Refusal>()
  const renewals = new Map<string, number>()

  const fromRows = Effect.fnUntraced(function* (keyId: string) {
    for (const kept of yield* rows.keys(keyId)) {
      const key = parsed(kept, kept.owner, actors.minRsaBits)
      if (Result.isSuccess(key)) return key.success
    }
    return undefined
  })

  /** The actor whose key it is said to be: the address is that of the actor, or of a document of the key. */
  const fetchOwner = Effect.fnUntraced(function* (url: string) {
    const wanted = { maxBytes, wholeMillis: patience, admit }
    const object = yield* objects.fetch(url, { ...wanted, types: [] })
    if (actorTypes.some((it) => it === object["type"])) return yield* actors.read(object)
    const owner = identifierOf(object["owner"]) ?? identifierOf(object["controller"])
    if (owner === null || !sameOrigin(owner, url)) return undefined
    const actor = yield* objects.fetch(owner, { ...wanted, types: actorTypes })
    return sameOrigin(actor.id, owner) ? yield* actors.read(actor) : undefined
  })

  const late = (url: string, detail: string, asked: boolean) => () =>
    Effect.fail(new ObjectUnavailable({ url, detail, retryAfterMillis: unavailableFor, asked }))

  /** In a place of its own, so that keys of unknown actors leave all other fetches alone. */
  const fetchInTurn = (url: string) =>
    Effect.scoped(
      Effect.andThen(
        Effect.timeoutOrElse(turns.takeScoped(1), {
          duration: patience,
          orElse: late(url, "too many keys are asked for", false)
        }),
        Effect.timeoutOrElse(fetchOwner(url), { duration: patience, orElse: late(url, "it took too long", true) })
      )
    )

  /** A key that is another actor's stays that actor's, unless only this one's address says whose it is. */
  const isTaken = Effect.fnUntraced(function* (keyId: string, owner: string) {
    const kept = (yield* rows.keys(keyId)).find((it) => it.id === keyId && it.owner !== owner)
    return kept !== undefined && (!isBelow(keyId, owner) || isBelow(keyId, kept.owner))
  })

  const remote = Effect.fnUntraced(function* (keyId: string, again: boolean) {
    const place = placeOf(keyId)
    const young = again ? undefined : unverified.get(place)
    const actor =
      young !== undefined && young.until > (yield* Clock.currentTimeMillis)
        ? young.actor
        : yield* flights.join(place, fetchInTurn(place))
    let why = "the key is not its owner's"
    for (const given of actor?.keys ?? []) {
      if (actor === undefined || (given.id !== keyId && keyId !== actor.id)) continue
      const key = parsed(given, actor.id, actors.minRsaBits)
      if (Result.isFailure(key)) why = key.failure
      if (Result.isFailure(key) || (yield* isTaken(key.success.id, actor.id))) continue
      put(unverified, actor.id, { actor, until: (yield* Clock.currentTimeMillis) + newFor }, maxUnverified)
      return key
    }
    return Result.fail(why)
  })

  const refuse = Effect.fnUntraced(function* (keyId: string, refused: SignatureRefused, forMillis: number) {
    const until = (yield* Clock.currentTimeMillis) + forMillis
    if (forMillis > 0) put(refusals, placeOf(keyId), { until, refused }, maxRefusals)
    return yield* refused
  })

  const byAccount = Effect.fnUntraced(function* (keyId: string) {
    const [name = "", host = ""] = keyId.slice("acct:".length).split("@", 2)
    const actor = name === "" || host === "" ? undefined : yield* rows.byName(name, host)
    return actor?.url
  })

  const search = Effect.fnUntraced(
    function* (
      given: string,
      again: boolean,
      client: string | undefined
    ): Effect.fn.Return<VerificationKey, SignatureRefused | DatabaseUnavailable> {
      const keyId = given.startsWith("acct:") ? yield* byAccount(given) : given
      const origin = keyId === undefined ? null : originOf(keyId)
      if (keyId === undefined || origin === null || origin === ours) {
        return yield* new SignatureRefused({ status: 401, why: "a key that is nobody's we know" })
      }
      const now = yield* Clock.currentTimeMillis
      const place = placeOf(keyId)
      const known = keys.get(keyId) ?? (yield* fromRows(keyId))
      if (known !== undefined) {
        put(keys, keyId, known, maxKeys)
        if (!again || (renewals.get(place) ?? 0) > now) return known
        put(renewals, place, now + refusedFor, maxRefusals)
      }
      const refusal = refusals.get(place)
      if (refusal !== undefined && refusal.until > now) return known ?? (yield* refusal.refused)
      if (client !== undefined && !(yield* askers.take(client))) {
        return known ?? (yield* new SignatureRefused({ status: 503, why: "too many keys that are not to be had" }))
      }
      const found = yield* Effect.result(remote(keyId, again))
      if (Result.isFailure(found)) {
        const { forMillis, refused } = verdict(found.failure)
        return yield* refuse(keyId, refused, forMillis)
      }
      if (Result.isFailure(found.success)) {
        const why = found.success.failure
        yield* Effect.logInfo(`What is signed with ${keyId} is refused: ${why}`)
        return yield* refuse(keyId, new SignatureRefused({ status: 403, why }), refusedFor)
      }
      if (client !== undefined) yield* askers.giveBack(client)
      refusals.delete(place)
      put(keys, keyId, found.success.success, maxKeys)
      return found.success.success
    },
    Effect.catchTag("DatabaseUnavailable", (error) => Effect.fail(verdict(error).refused))
  )

  // Many first words of an actor have its key looked for once, and all of them are answered alike.
  const lookup =
    (client: string | undefined): KeyLookup =>
    (keyId, again) => {
      const known = again ? undefined : keys.get(keyId)
      return known === undefined
        ? lookups.join(`${again} ${keyId}`, search(keyId, again, client))
        : Effect.succeed(known)
    }

  const document = (actorUrl: string) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const found = unverified.get(actorUrl)
      unverified.delete(actorUrl)
      return found !== undefined && found.until > now ? found.actor : undefined
    })

  return {
    lookup,
    document,
    forget: (actorUrl) => {
      for (const [id, key] of keys) if (key.owner === actorUrl) keys.delete(id)
    }
  }
})
