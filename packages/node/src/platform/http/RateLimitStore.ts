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
 * `hitNow` and `refundNow` are there when counting needs no waiting, which keeps it off the scheduler. `hitNow` counts nothing and is
 * undefined for a limit that has to wait.
 */
export class RateLimitStore extends Context.Service<
  RateLimitStore,
  {
    readonly hitNow?: (key: string, limit: RateLimit, now: number) => RateLimitCount | undefined
    readonly refundNow?: (key: string, limit: RateLimit, now: number) => void
    hit(key: string, limit: RateLimit, now: number): Effect.Effect<RateLimitCount>
    refund(key: string, limit: RateLimit, now: number): Effect.Effect<void>
  }
>()("@kinora/node/http/RateLimitStore") {
  /** Counts in this process; at most `clients` windows are kept, and the oldest half is forgotten when they are full. */
  static readonly layerMemory = (clients: number): Layer.Layer<RateLimitStore> =>
    Layer.sync(RateLimitStore, () => makeMemoryStore(clients))
}

/** Counts of a client in memory. */
export interface MemoryWindow {
  /** All requests. */
  used: number
  resetAt: number
  /** Of these, counted by this node, and what others have heard of. */
  own: number
  sent: number
}

interface MemoryStore {
  readonly hitNow: (key: string, limit: RateLimit, now: number) => MemoryWindow
  readonly refundNow: (key: string, limit: RateLimit, now: number) => void
  readonly hit: (key: string, limit: RateLimit, now: number) => Effect.Effect<RateLimitCount>
  readonly refund: (key: string, limit: RateLimit, now: number) => Effect.Effect<void>
  /** Adds what another node counted; a window that begins with it ends in `left` milliseconds. */
  readonly add: (key: string, count: number, limit: RateLimit, left: number, now: number) => MemoryWindow
  readonly size: () => number
}

/** The memory store: two generations of windows, so that forgetting costs nothing on the way of a request. */
export const makeMemoryStore = (clients: number): MemoryStore => {
  let young = new Map<string, MemoryWindow>()
  let old = new Map<string, MemoryWindow>()
  // A window that ends later than one that begins now was begun before the clock was set back.
  const runs = (window: MemoryWindow, limit: RateLimit, now: number): boolean =>
    window.resetAt > now && window.resetAt - now <= limit.windowMillis
  const find = (key: string, limit: RateLimit, now: number): MemoryWindow | undefined => {
    const window = young.get(key) ?? old.get(key)
    return window !== undefined && runs(window, limit, now) ? window : undefined
  }
  /** The running window of a key, or a new one. */
  const current = (key: string, limit: RateLimit, now: number, left = limit.windowMillis): MemoryWindow => {
    const found = young.get(key)
    if (found !== undefined && runs(found, limit, now)) return found
    const window = find(key, limit, now) ?? { used: 0, resetAt: now + left, own: 0, sent: 0 }
    if (found === undefined && young.size >= clients / 2) {
      old = young
      young = new Map()
    }
    young.set(key, window)
    return window
  }
  const hitNow = (key: string, limit: RateLimit, now: number): MemoryWindow => {
    const window = current(key, limit, now)
    window.used++
    window.own++
    return window
  }
  const refundNow = (key: string, limit: RateLimit, now: number): void => {
    const window = find(key, limit, now)
    if (window === undefined || window.used === 0) return
    window.used--
    window.own--
  }
  return {
    hitNow,
    refundNow,
    hit: (key, limit, now) => Effect.sync(() => hitNow(key, limit, now)),
    refund: (key, limit, now) => Effect.sync(() => refundNow(key, limit, now)),
    add: (key, count, limit, left, now) => {
      const window = current(key, limit, now, left)
      window.used += count
      return window
    },
    size: () => young.size + old.size
  }
}
