import { checkFetched, hostOf, originOf } from "@kinora/federation/authority/Authority"
import type { NotItsAuthority } from "@kinora/federation/authority/NotItsAuthority"
import type { FetchError } from "@kinora/federation/fetch/FetchError"
import { GuardedFetch } from "@kinora/federation/fetch/GuardedFetch"
import type { FetchRequest } from "@kinora/federation/fetch/Hops"
import type { JsonObject } from "@kinora/federation/vocabulary/Json"
import { normaliseResult } from "@kinora/federation/vocabulary/Normalise"
import { RemoteActorRows } from "@kinora/storage/federation/remote/RemoteActorRows"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Result } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { makeFetchSignatures } from "./FetchSignatures.ts"
import { ObjectRefused, ObjectUnavailable } from "./RemoteErrors.ts"

export interface WantedObject {
  /** Types it may have; anything else is refused. Empty: all but tombstones, which are `gone`. */
  readonly types: ReadonlyArray<string>
  /** Bytes of the answer once decoded. Default 1 MiB. */
  readonly maxBytes?: number
  /** Milliseconds for all of it; else those of `GuardedFetch`. */
  readonly wholeMillis?: number
  /** Leave to ask what the host resolves to. */
  readonly admit?: FetchRequest["admit"]
}

/** Something fetched: its id has been held against where it was found. */
export type FetchedObject = JsonObject & { readonly id: string }

/** Nothing else is an object of ActivityPub: a file somebody uploaded to their host must not be taken for one. */
const mediaTypes = ["application/activity+json", "application/ld+json"] as const
const accept = 'application/activity+json, application/ld+json; profile="https://www.w3.org/ns/activitystreams"'

const mebibyte = 1024 * 1024
const retryAfter = 60_000

const failed = (url: string, { reason }: FetchError): ObjectRefused | ObjectUnavailable => {
  const detail = reason._tag === "BadStatus" ? `status ${reason.status}` : reason._tag
  switch (reason._tag) {
    case "Busy":
      return new ObjectUnavailable({ url, detail, retryAfterMillis: reason.retryAfterMillis, asked: false })
    case "TimedOut":
    case "Unreachable":
    case "NotWritten":
      return new ObjectUnavailable({ url, detail, retryAfterMillis: retryAfter, asked: true })
    case "BadStatus": {
      if (reason.status === 404 || reason.status === 410) return new ObjectRefused({ url, why: "gone", detail })
      const { retryAfterMillis = retryAfter } = reason
      return reason.status >= 500 || reason.status === 408 || reason.status === 425 || reason.status === 429
        ? new ObjectUnavailable({ url, detail, retryAfterMillis, asked: true })
        : new ObjectRefused({ url, why: "denied", detail })
    }
    case "Refused":
      return new ObjectRefused({ url, why: "address", detail })
    default:
      return new ObjectRefused({ url, why: "document", detail })
  }
}

/** Objects of other instances, fetched from the origin that speaks for them (FEP-fe34). */
export class RemoteObjects extends Context.Service<
  RemoteObjects,
  {
    /**
     * The object at an address, normalised, its id proved by where it was found. Signed by the instance's actor where
     * `federation.sign_federated_fetches` says so. Addresses of our own origin and hosts the instance has muted are refused.
     */
    readonly fetch: (
      url: string,
      wanted: WantedObject
    ) => Effect.Effect<FetchedObject, ObjectRefused | ObjectUnavailable | DatabaseUnavailable>
  }
>()("@kinora/node/remote/RemoteObjects") {
  static readonly layer = Layer.effect(
    RemoteObjects,
    Effect.gen(function* () {
      const { derived, federation } = yield* KinoraConfig
      const guarded = yield* GuardedFetch
      const rows = yield* RemoteActorRows
      const signatures = makeFetchSignatures(rows, federation.sign_federated_fetches)
      const ours = originOf(derived.origin)!

      const ask = (url: string, { admit, maxBytes = mebibyte, wholeMillis }: WantedObject) =>
        signatures.knock(url, (sign) =>
          guarded.json(url, {
            types: mediaTypes,
            maxBytes,
            headers: { accept },
            ...(sign === undefined ? {} : { sign }),
            ...(wholeMillis === undefined ? {} : { wholeMillis }),
            ...(admit === undefined ? {} : { admit })
          })
        )

      const refused = (url: string, why: ObjectRefused["why"], detail: string) =>
        new ObjectRefused({ url, why, detail })

      const once = Effect.fnUntraced(function* (
        url: string,
        wanted: WantedObject
      ): Effect.fn.Return<
        Result.Result<FetchedObject, NotItsAuthority>,
        ObjectRefused | ObjectUnavailable | DatabaseUnavailable
      > {
        const origin = originOf(url)
        if (origin === null) return yield* refused(url, "address", "no address of the web")
        if (origin === ours) return yield* refused(url, "address", "of this instance")
        if (!federation.enabled) return yield* refused(url, "blocked", "this instance does not federate")
        if (yield* rows.isMuted(hostOf(url))) return yield* refused(url, "blocked", "muted by the instance")
        const found = yield* ask(url, wanted).pipe(
          Effect.catchTag("FetchError", (error) => Effect.fail(failed(url, error)))
        )
        const object = normaliseResult(found.value)
        if (Result.isFailure(object)) return yield* refused(url, "document", object.failure.why)
        return checkFetched(found.url, object.success, ours)
      })

      const fetch = Effect.fn("RemoteObjects.fetch")(function* (url: string, wanted: WantedObject) {
        let found = yield* once(url, wanted)
        const moved = Result.isFailure(found) ? found.failure.moved : undefined
        // It calls itself by another address of its origin, where it is asked for again, once (corpus AP-21).
        if (moved !== undefined) found = yield* once(moved, wanted)
        if (Result.isFailure(found)) return yield* refused(url, "authority", found.failure.why)
        const object = found.success
        const type = String(object["type"])
        if (type === "Tombstone") return yield* refused(url, "gone", "a tombstone")
        if (wanted.types.length > 0 && !wanted.types.includes(type))
          return yield* refused(url, "document", "of another type")
        return object
      })

      return RemoteObjects.of({ fetch })
    })
  )
}
