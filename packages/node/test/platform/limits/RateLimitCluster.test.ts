import { assert, layer } from "@effect/vitest"
import { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { SharedCounts } from "@kinora/storage/platform/limits/SharedCounts"
import { Clock, Context, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestDatabase } from "../../../../storage/test/support/TestDatabase.ts"
import { Peers } from "../../../src/platform/cluster/Peers.ts"
import { RateLimitStore } from "../../../src/platform/http/RateLimitStore.ts"
import { layerClusterStore } from "../../../src/platform/limits/RateLimitCluster.ts"
import { Supervisor } from "../../../src/platform/supervision/Supervisor.ts"

/** Nodes that reach each other, without a network. */
const network = () => {
  const handlers = new Map<string, Map<string, (input: unknown) => Effect.Effect<unknown>>>()
  return (node: string): Peers => {
    const own = new Map<string, (input: unknown) => Effect.Effect<unknown>>()
    handlers.set(node, own)
    const others = () => [...handlers.keys()].filter((name) => name !== node)
    return {
      others: Effect.sync(() => others().map((name) => ({ name, roles: ["api"] }))),
      answer: (name, handler) => Effect.sync(() => void own.set(name, handler)),
      call: () => Effect.die("not used"),
      broadcast: (name, input) =>
        Effect.forEach(others(), (it) => handlers.get(it)!.get(name)!(input), { discard: true })
    }
  }
}

/** Stores of nodes that know each other. */
const stores = Effect.fnUntraced(function* (count: number) {
  const peersOf = network()
  const made: Array<RateLimitStore["Service"]> = []
  for (let nth = 0; nth < count; nth++) {
    const supervisor = Context.get(yield* Layer.build(Layer.fresh(Supervisor.layer)), Supervisor)
    const built = yield* Layer.build(layerClusterStore(100)).pipe(
      Effect.provideService(Peers, peersOf(`node-${nth}`)),
      Effect.provideService(Supervisor, supervisor)
    )
    made.push(Context.get(built, RateLimitStore))
  }
  return made
})

const exact = { max: 5, windowMillis: 60_000, exact: true }
const general = { max: 30, windowMillis: 60_000 }

layer(SharedCounts.layer.pipe(Layer.provideMerge(TestDatabase)), { excludeTestServices: true, timeout: 60_000 })(
  "limits among nodes",
  (it) => {
    it.effect("counts exact ones together at once, and takes them back", () =>
      Effect.gen(function* () {
        const [one, two] = yield* stores(2)
        const now = yield* Clock.currentTimeMillis
        assert.isUndefined(one!.hitNow?.("login a", exact, now))
        const used: Array<number> = []
        for (const store of [one!, two!, one!, two!]) used.push((yield* store.hit("login a", exact, now)).used)
        assert.deepStrictEqual(used, [1, 2, 3, 4])
        yield* one!.refund("login a", exact, now)
        const { resetAt, used: after } = yield* two!.hit("login a", exact, now)
        assert.strictEqual(after, 4)
        assert.isTrue(resetAt > now + 30_000 && resetAt <= now + 70_000)
        assert.strictEqual((yield* one!.hit("login b", exact, now)).used, 1)
      })
    )

    it.effect("counts what a transaction that is undone has tried", () =>
      Effect.gen(function* () {
        const counts = yield* SharedCounts
        const sql = yield* SqlClient
        yield* Effect.exit(sql.withTransaction(Effect.andThen(counts.hit("undone", 60_000), Effect.fail("undone"))))
        assert.strictEqual((yield* counts.hit("undone", 60_000)).used, 2)
        // A window that has ended begins anew, and is forgotten.
        yield* counts.hit("short", 1)
        yield* Effect.sleep("20 millis")
        assert.strictEqual((yield* counts.hit("short", 1)).used, 1)
        yield* Effect.sleep("20 millis")
        yield* counts.removeEnded
        assert.deepStrictEqual(yield* sql`select used from rate_limit where ends_at < now()`, [])
      })
    )

    it.effect("brings counts of clients that ask much to the others, and no others", () =>
      Effect.gen(function* () {
        const [one, two, three] = yield* stores(3)
        const now = yield* Clock.currentTimeMillis
        const hit = (store: typeof one, key: string, times: number) => {
          let used = 0
          for (let n = 0; n < times; n++) used = store!.hitNow!(key, general, now)!.used
          return used
        }
        // Nodes know how many they are a moment later.
        yield* Effect.sleep("700 millis")
        assert.deepStrictEqual([hit(one, "much", 11), hit(two, "much", 8), hit(three, "much", 8)], [11, 8, 8])
        hit(one, "little", 9)
        hit(two, "little", 1)
        // Each asks once more until it knows what the others were asked.
        let asked = 0
        yield* Effect.sync(() => {
          asked++
          return [one, two, three].map((store) => hit(store, "much", 1))
        }).pipe(
          Effect.repeat({
            until: (counts) => counts.every((used, nth) => used >= [11, 8, 8][nth]! + asked + 16),
            schedule: Schedule.spaced("100 millis")
          }),
          Effect.timeout("20 seconds")
        )
        assert.strictEqual(hit(two, "little", 1), 2)
      })
    )

    it.effect("allows a node its share while the database is away", () =>
      Effect.gen(function* () {
        const away = Effect.fail(new DatabaseUnavailable({ retryAfterSeconds: 1 }))
        const [one] = yield* stores(2).pipe(
          Effect.provideService(
            SharedCounts,
            SharedCounts.of({ hit: () => away, refund: () => away, removeEnded: away })
          )
        )
        const now = yield* Clock.currentTimeMillis
        // Until it knows of the other.
        let tried = 0
        const second = Effect.suspend(() => {
          const key = `try ${tried++}`
          return Effect.andThen(one!.hit(key, exact, now), one!.hit(key, exact, now))
        })
        yield* second.pipe(
          Effect.repeat({ until: ({ used }) => used === 3, schedule: Schedule.spaced("100 millis") }),
          Effect.timeout("20 seconds")
        )
        const used: Array<number> = []
        for (let n = 0; n < 4; n++) used.push((yield* one!.hit("login", exact, now)).used)
        assert.deepStrictEqual(used, [1, 3, 5, 7])
        yield* one!.refund("login", exact, now)
        assert.strictEqual((yield* one!.hit("login", exact, now)).used, 7)
      })
    )
  }
)
