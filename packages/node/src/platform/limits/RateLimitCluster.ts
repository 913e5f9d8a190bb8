import { SharedCounts } from "@kinora/storage/platform/limits/SharedCounts"
import { Clock, Duration, Effect, Layer, Schema } from "effect"
import { Peers } from "../cluster/Peers.ts"
import { periodicOnce } from "../cluster/PeriodicOnce.ts"
import { every } from "../supervision/Every.ts"
import { Supervisor } from "../supervision/Supervisor.ts"
import type { RateLimit } from "../http/HttpOptions.ts"
import { makeMemoryStore, type MemoryWindow, type RateLimitCount, RateLimitStore } from "../http/RateLimitStore.ts"

/** A database that does not answer in this time counts as away. */
const answerWithin = Duration.seconds(2)
const exchangeEvery = Duration.millis(500)
/** Clients in one message to the other nodes. */
const mostExchanged = 1_000

const Counts = Schema.Array(
  Schema.Struct({
    key: Schema.String,
    /** Counted since the last message. */
    added: Schema.Int,
    /** Milliseconds until the window ends, and of the whole window. */
    left: Schema.Int,
    windowMillis: Schema.Int
  })
)
const decodeCounts = Schema.decodeUnknownEffect(Counts)
const call = "rate-limit-counts"

const makeClusterStore = Effect.fnUntraced(function* (clients: number) {
  const counts = yield* SharedCounts
  const peers = yield* Peers
  const supervisor = yield* Supervisor
  const memory = makeMemoryStore(clients)
  /** Windows that may be over their limits among all nodes. */
  const busy = new Map<string, { readonly window: MemoryWindow; readonly windowMillis: number }>()
  let nodes = 1
  let isAway = false

  const away = (cause: unknown) => {
    if (isAway) return Effect.void
    isAway = true
    return Effect.logWarning("Limits are counted by this node alone: the database does not answer", cause)
  }
  const back = Effect.suspend(() => {
    if (!isAway) return Effect.void
    isAway = false
    return Effect.logInfo("Limits are counted among all nodes again")
  })
  const inDatabase = <A, E>(effect: Effect.Effect<A, E>) =>
    effect.pipe(
      Effect.timeout(answerWithin),
      Effect.tap(() => back)
    )

  /** Counted as if each other node had counted as much after the first. */
  const share = ({ resetAt, used }: RateLimitCount): RateLimitCount => ({ used: 1 + (used - 1) * nodes, resetAt })

  const hitHere = (key: string, limit: RateLimit, now: number): RateLimitCount => {
    const window = memory.hitNow(key, limit, now)
    if (window.used * nodes > limit.max && (busy.has(key) || busy.size < mostExchanged)) {
      busy.set(key, { window, windowMillis: limit.windowMillis })
    }
    return window
  }

  const hitExact = Effect.fnUntraced(function* (key: string, limit: RateLimit, now: number) {
    // Also here: what this node knows by itself when the database goes away.
    const own = { ...memory.hitNow(key, limit, now) }
    return yield* inDatabase(counts.hit(key, limit.windowMillis)).pipe(
      Effect.map(({ left, used }): RateLimitCount => ({ used, resetAt: now + left })),
      Effect.catch((error) => Effect.as(away(error), share(own)))
    )
  })

  const refundExact = (key: string, limit: RateLimit, now: number) =>
    Effect.suspend(() => {
      memory.refundNow(key, limit, now)
      return Effect.catch(inDatabase(counts.refund(key)), away)
    })

  const exchange = Effect.gen(function* () {
    nodes = (yield* peers.others).length + 1
    const now = yield* Clock.currentTimeMillis
    const changed: Array<(typeof Counts.Type)[number]> = []
    for (const [key, { window, windowMillis }] of busy) {
      const left = window.resetAt - now
      const added = window.own - window.sent
      if (left <= 0) busy.delete(key)
      else if (added > 0) {
        window.sent = window.own
        changed.push({ key, added, left, windowMillis })
      }
    }
    if (changed.length > 0) yield* peers.broadcast(call, changed)
  })

  yield* peers.answer(call, (input) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      for (const { added, key, left, windowMillis } of yield* Effect.orDie(decodeCounts(input))) {
        const window = memory.add(key, added, { max: 0, windowMillis }, Math.min(left, windowMillis), now)
        if (busy.has(key) || busy.size < mostExchanged) busy.set(key, { window, windowMillis })
      }
    })
  )
  yield* supervisor.run("limits of other nodes", every(exchangeEvery, exchange))
  yield* periodicOnce("ended rate limits", Duration.minutes(1), counts.removeEnded)

  return RateLimitStore.of({
    hitNow: (key, limit, now) => (limit.exact === true ? undefined : hitHere(key, limit, now)),
    refundNow: memory.refundNow,
    hit: (key, limit, now) =>
      limit.exact === true ? hitExact(key, limit, now) : Effect.sync(() => hitHere(key, limit, now)),
    refund: (key, limit, now) =>
      limit.exact === true ? refundExact(key, limit, now) : Effect.sync(() => memory.refundNow(key, limit, now))
  })
})

/**
 * The store of a node among several. Limits that are `exact` are counted in the database. Of others each node counts what comes to
 * it, and sends the counts of clients who may be over a limit among all nodes to the others twice a second: a request waits for
 * nobody, and a client that is quick gets half a second's requests more.
 *
 * While the database is away, this node allows its share of an exact limit: the limit divided by the number of nodes, at least one.
 * `clients`: how many are remembered.
 */
export const layerClusterStore = (clients: number) => Layer.effect(RateLimitStore, makeClusterStore(clients))
