import type { DeliveryHost } from "@kinora/storage/federation/outbox/DeliveryHost"
import type { DeliveryPart } from "@kinora/storage/federation/outbox/Deliveries"
import { Effect, Semaphore } from "effect"

/**
 * How many deliveries are on their way at once. A host that does not answer holds its place for seconds: those of which
 * that must be expected have places of their own, so that none of them ever stands in the way of one that answers, and
 * none at all in the way of a follow. Follows of hosts that fail have theirs, too: hundreds of hosts that follow and then
 * fall silent hold up each other only.
 */
const places = { first: 64, firstDoubtful: 128, well: 192, doubtful: 512 }

export interface DeliveryPlaces {
  /** Runs a delivery in a place for its host. */
  readonly within: (
    part: DeliveryPart,
    host: DeliveryHost
  ) => <A, E, R>(delivery: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** A host that took something and has not failed since. */
const isWell = (host: DeliveryHost): boolean => host.lastSuccessAt !== null && host.failures === 0

export const makeDeliveryPlaces: Effect.Effect<DeliveryPlaces> = Effect.gen(function* () {
  const first = yield* Semaphore.make(places.first)
  const firstDoubtful = yield* Semaphore.make(places.firstDoubtful)
  const well = yield* Semaphore.make(places.well)
  const doubtful = yield* Semaphore.make(places.doubtful)
  return {
    within: (part, host) =>
      (part === "first" ? (host.failures === 0 ? first : firstDoubtful) : isWell(host) ? well : doubtful).withPermit
  }
})
