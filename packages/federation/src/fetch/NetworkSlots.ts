import { Effect, type Scope, Semaphore } from "effect"
import { isIP } from "node:net"
import { Busy } from "./FetchError.ts"

/** What one operator has, whatever names they give it: an address of IPv4, or a network of 64 bits of IPv6. */
export const networkOf = (address: string): string => {
  if (isIP(address) !== 6) return address
  const [head = "", tail] = address.split("::")
  const left = head === "" ? [] : head.split(":")
  const right = tail === undefined || tail === "" ? [] : tail.split(":")
  const zeros: ReadonlyArray<string> = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0")
  const groups = tail === undefined ? left : [...left, ...zeros, ...right]
  return groups
    .slice(0, 4)
    .map((it) => Number.parseInt(it, 16).toString(16))
    .join(":")
}

/**
 * So many requests at a time for each network, by what names resolve to: somebody who has names without number has no more
 * slots than somebody with one. Those of all addresses of a name are taken, in one order, so that none waits for another in a
 * circle.
 */
export const makeNetworkSlots = (options: {
  readonly concurrency: number
  /** Milliseconds one waits for a slot. */
  readonly maxWaitMillis: number
}): ((addresses: ReadonlyArray<string>) => Effect.Effect<void, Busy, Scope.Scope>) => {
  const networks = new Map<string, { readonly slots: Semaphore.Semaphore; users: number }>()

  const slot = (network: string) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const known = networks.get(network) ?? { slots: Semaphore.makeUnsafe(options.concurrency), users: 0 }
        known.users += 1
        networks.set(network, known)
        return known.slots
      }),
      () =>
        Effect.sync(() => {
          const known = networks.get(network)!
          known.users -= 1
          if (known.users === 0) networks.delete(network)
        })
    ).pipe(Effect.flatMap((slots) => slots.takeScoped(1)))

  return (addresses) =>
    Effect.forEach([...new Set(addresses.map(networkOf))].sort(), slot, { discard: true }).pipe(
      Effect.timeoutOrElse({
        duration: options.maxWaitMillis,
        orElse: () => Effect.fail(new Busy({ why: "queue", retryAfterMillis: options.maxWaitMillis }))
      })
    )
}
