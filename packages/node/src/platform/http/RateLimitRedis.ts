import { createHash } from "node:crypto"
import { Effect, Layer } from "effect"
import type { RateLimit } from "./HttpOptions.ts"
import { type RateLimitCount, RateLimitStore } from "./RateLimitStore.ts"

/** Counts and starts the window in one step, so that no two nodes start it twice. Answers the count and what is left of the window in milliseconds. */
const script = `local used = redis.call("INCR", KEYS[1])
local left = redis.call("PTTL", KEYS[1])
if left < 0 then
  redis.call("PEXPIRE", KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return { used, left }`

/** A window that has ended is not brought back. */
const refundScript = `if redis.call("EXISTS", KEYS[1]) == 1 then redis.call("DECR", KEYS[1]) end`

const sha = createHash("sha1").update(script).digest("hex")

/** How long an answer is waited for before the request is counted in memory. */
const commandTimeoutMillis = 250

/** How long the start waits for the first connection. */
const startMillis = 2000

const prefix = "kinora:rate:"

/**
 * The store that the nodes of an instance share. A Redis that is away, slow or refuses is replaced by another store
 * until it answers again; the change is logged once each way.
 */
export const layerRedisStore = (options: {
  readonly url: string
  /** Counts while Redis is away. */
  readonly fallback: Pick<RateLimitStore["Service"], "hit" | "refund">
}): Layer.Layer<RateLimitStore> =>
  Layer.effect(
    RateLimitStore,
    Effect.gen(function* () {
      // Most instances have no Redis, and need not load its client.
      const { Redis } = yield* Effect.promise(() => import("ioredis"))
      const redis = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const client = new Redis(options.url, {
            lazyConnect: true,
            enableOfflineQueue: false,
            maxRetriesPerRequest: 0,
            commandTimeout: commandTimeoutMillis,
            connectTimeout: 5000,
            retryStrategy: (attempt) => Math.min(attempt * 500, 10_000)
          })
          // Failures show on the commands; without a listener an emitted error would end the process.
          client.on("error", () => {})
          return client
        }),
        (client) => Effect.sync(() => client.disconnect())
      )
      // A Redis that is not there does not hold up the start; ioredis goes on trying.
      yield* Effect.ignore(
        Effect.tryPromise({ try: () => redis.connect(), catch: (cause) => ({ cause }) }).pipe(
          Effect.timeout(startMillis)
        )
      )
      let isAway = false
      const away = (cause: unknown) => {
        if (isAway) return Effect.void
        isAway = true
        return Effect.logWarning(
          `Redis does not answer: rate limits are counted without it (${cause instanceof Error ? cause.message : String(cause)})`
        )
      }
      const back = Effect.suspend(() => {
        if (!isAway) return Effect.void
        isAway = false
        return Effect.logInfo("Redis answers again: rate limits are shared")
      })
      const run = async (key: string, windowMillis: number): Promise<unknown> => {
        try {
          return await redis.evalsha(sha, 1, prefix + key, windowMillis)
        } catch (error) {
          if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error
          return await redis.eval(script, 1, prefix + key, windowMillis)
        }
      }
      const hit = (key: string, limit: RateLimit, now: number): Effect.Effect<RateLimitCount> =>
        Effect.tryPromise({ try: () => run(key, limit.windowMillis), catch: (cause) => ({ cause }) }).pipe(
          Effect.tap(() => back),
          Effect.map((reply) => {
            const [used, left] = reply as readonly [number, number]
            return { used: Number(used), resetAt: now + Number(left) }
          }),
          Effect.catch(({ cause }) => Effect.andThen(away(cause), options.fallback.hit(key, limit, now)))
        )
      const refund = (key: string, limit: RateLimit, now: number): Effect.Effect<void> =>
        Effect.tryPromise({ try: () => redis.eval(refundScript, 1, prefix + key), catch: (cause) => ({ cause }) }).pipe(
          Effect.asVoid,
          Effect.catch(({ cause }) => Effect.andThen(away(cause), options.fallback.refund(key, limit, now)))
        )
      return RateLimitStore.of({ hit, refund })
    })
  )
