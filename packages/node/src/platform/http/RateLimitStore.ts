import { Context, Effect, Layer } from "effect"
import type { RateLimit } from "./HttpOptions.ts"

/** What a store knows of a client after counting a request. */
export interface RateLimitCount {
  /** Requests in the running window, this one included. */
  readonly used: number
  /** End of the window, milliseconds since 1970. */
  readonly resetAt: number
}

/**
 * Counts requests in fixed windows that begin with a client's first request. `hit` counts one and `refund` takes one
 * back (failed requests that do not count). A store never fails: one that cannot be reached falls back to memory.
 *
 * `hitNow` and `refundNow` are there when counting needs no waiting, which keeps it off the scheduler.
 */
export class RateLimitStore extends Context.Service<
  RateLimitStore,
  {
    readonly hitNow?: (key: string, limit: RateLimit, now: number) => RateLimitCount
    readonly refundNow?: (key: string, limit: RateLimit, now: number) => void
    hit(key: string, limit: RateLimit, now: number): Effect.Effect<RateLimitCount>
    refund(key: string, limit: RateLimit, now: number): Effect.Effect<void>
  }
>()("@kinora/node/http/RateLimitStore") {
  /** Counts in this process; at most `clients` windows are kept, and the oldest half is forgotten when they are full. */
  static readonly layerMemory = (clients: number): Layer.Layer<RateLimitStore> =>
    Layer.sync(RateLimitStore, () => makeMemoryStore(clients))
}

interface Window {
  used: number
  resetAt: number
}

/** The memory store: two generations of windows, so that forgetting costs nothing on the way of a request. */
export const makeMemoryStore = (clients: number): RateLimitStore["Service"] & { readonly size: () => number } => {
  let young = new Map<string, Window>()
  let old = new Map<string, Window>()
  // A window that ends later than one that begins now was begun before the clock was set back.
  const runs = (window: Window, limit: RateLimit, now: number): boolean =>
    window.resetAt > now && window.resetAt - now <= limit.windowMillis
  const find = (key: string, limit: RateLimit, now: number): Window | undefined => {
    const window = young.get(key) ?? old.get(key)
    return window !== undefined && runs(window, limit, now) ? window : undefined
  }
  const hitNow = (key: string, limit: RateLimit, now: number): RateLimitCount => {
    const found = young.get(key)
    if (found !== undefined) {
      if (runs(found, limit, now)) found.used++
      else {
        found.used = 1
        found.resetAt = now + limit.windowMillis
      }
      return found
    }
    const window = find(key, limit, now) ?? { used: 0, resetAt: now + limit.windowMillis }
    window.used++
    if (young.size >= clients / 2) {
      old = young
      young = new Map()
    }
    young.set(key, window)
    return window
  }
  const refundNow = (key: string, limit: RateLimit, now: number): void => {
    const window = find(key, limit, now)
    if (window !== undefined && window.used > 0) window.used--
  }
  return {
    ...{ hitNow, refundNow },
    hit: (key, limit, now) => Effect.sync(() => hitNow(key, limit, now)),
    refund: (key, limit, now) => Effect.sync(() => refundNow(key, limit, now)),
    size: () => young.size + old.size
  }
}
