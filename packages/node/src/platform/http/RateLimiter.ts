import { clientKey } from "@kinora/domain/network/ClientKey"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HeaderRecord } from "./AnswerHeaders.ts"
import type { HttpOptions, RateLimit, RateLimitName } from "./HttpOptions.ts"
import type { RateLimitCount, RateLimitStore } from "./RateLimitStore.ts"
import type { PathClass } from "./RequestPath.ts"

/** What counting a request came to. */
export interface RateVerdict {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** End of the window, seconds since 1970. */
  readonly reset: number
  /** Seconds to wait before the next request is served; at least 1. */
  readonly retryAfter: number
  /** The bucket counted last, of which a failed request may be taken back. */
  readonly bucket: { readonly key: string; readonly limit: RateLimit }
}

const verdictOf = (key: string, limit: RateLimit, count: RateLimitCount, now: number): RateVerdict => ({
  allowed: count.used <= limit.max,
  limit: limit.max,
  remaining: Math.max(0, limit.max - count.used),
  reset: Math.ceil(count.resetAt / 1000),
  retryAfter: Math.max(1, Math.ceil((count.resetAt - now) / 1000)),
  bucket: { key, limit }
})

/** Headers of the contract (specification "Limits"). */
export const rateHeaders = (into: HeaderRecord, verdict: RateVerdict): void => {
  into["x-ratelimit-limit"] = String(verdict.limit)
  into["x-ratelimit-remaining"] = String(verdict.remaining)
  into["x-ratelimit-reset"] = String(verdict.reset)
}

/**
 * Counts requests against the limits of their path. A request past its limit is let through when `rateLimitExempt`
 * says so, which is asked only then.
 */
export const makeRateLimiter = (
  options: Pick<HttpOptions, "rateLimits" | "rateLimitExempt">,
  store: RateLimitStore["Service"]
) => {
  const one = (name: RateLimitName, limit: RateLimit, client: string, now: number): Effect.Effect<RateVerdict> => {
    const key = `${name}:${client}`
    const counted = store.hitNow?.(key, limit, now)
    return counted === undefined
      ? Effect.map(store.hit(key, limit, now), (count) => verdictOf(key, limit, count, now))
      : Effect.succeed(verdictOf(key, limit, counted, now))
  }
  const limitsOf = (path: PathClass): ReadonlyArray<readonly [RateLimitName, RateLimit]> =>
    [path.limit, path.extraLimit].flatMap((name) => {
      const limit = name === undefined ? undefined : options.rateLimits[name]
      return name === undefined || limit === undefined ? [] : [[name, limit] as const]
    })
  const prepared = new WeakMap<PathClass, ReturnType<typeof limitsOf>>()
  /** Counts a request; undefined when its path has no limit. */
  const check = (
    path: PathClass,
    address: string,
    request: HttpServerRequest,
    now: number
  ): RateVerdict | undefined | Effect.Effect<RateVerdict> => {
    let limits = prepared.get(path)
    if (limits === undefined) {
      limits = limitsOf(path)
      prepared.set(path, limits)
    }
    if (limits.length === 0) return undefined
    const client = clientKey(address)
    if (path.skipExempt) {
      const seen = look(limits, client, now)
      if (Effect.isEffect(seen)) return Effect.flatMap(seen, (verdict) => judged(verdict, request))
      return seen.allowed ? seen : exempted(seen, request)
    }
    if (limits.length === 1 && store.hitNow !== undefined) {
      const [name, limit] = limits[0] as readonly [RateLimitName, RateLimit]
      const key = `${name}:${client}`
      const counted = store.hitNow(key, limit, now)
      if (counted !== undefined) {
        const verdict = verdictOf(key, limit, counted, now)
        return verdict.allowed ? verdict : exempted(verdict, request)
      }
    }
    return Effect.flatMap(
      Effect.forEach(limits, ([name, limit]) => one(name, limit, client, now)),
      (verdicts) => {
        const last = verdicts[verdicts.length - 1] as RateVerdict
        const refused = verdicts.find((verdict) => !verdict.allowed)
        return refused === undefined ? Effect.succeed(last) : exempted(refused, request)
      }
    )
  }
  /** What counting the request would come to: it is counted when it has failed to prove anything, by `count`. */
  const look = (
    limits: ReadonlyArray<readonly [RateLimitName, RateLimit]>,
    client: string,
    now: number
  ): RateVerdict | Effect.Effect<RateVerdict> => {
    const [name, limit] = limits[0] as readonly [RateLimitName, RateLimit]
    const key = `${name}:${client}`
    const counted = store.refundNow === undefined ? undefined : store.hitNow?.(key, limit, now)
    if (store.refundNow === undefined || counted === undefined) {
      return Effect.tap(one(name, limit, client, now), (verdict) => refund(verdict, now))
    }
    const verdict = verdictOf(key, limit, counted, now)
    store.refundNow(key, limit, now)
    return verdict
  }
  const judged = (verdict: RateVerdict, request: HttpServerRequest): Effect.Effect<RateVerdict> =>
    verdict.allowed ? Effect.succeed(verdict) : exempted(verdict, request)
  /** Counts a request that was only looked at when it came. */
  const count = (verdict: RateVerdict, now: number): Effect.Effect<void> =>
    Effect.asVoid(store.hit(verdict.bucket.key, verdict.bucket.limit, now))
  const exempted = (verdict: RateVerdict, request: HttpServerRequest): Effect.Effect<RateVerdict> =>
    Effect.map(options.rateLimitExempt(request), (exempt) => (exempt ? { ...verdict, allowed: true } : verdict))
  const refund = (verdict: RateVerdict, now: number): Effect.Effect<void> =>
    store.refund(verdict.bucket.key, verdict.bucket.limit, now)
  return { check, count, refund }
}
