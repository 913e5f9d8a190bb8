import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { JobBoard } from "../../../src/platform/jobs/JobBoard.ts"
import { JobLists, type JobQuery } from "../../../src/platform/jobs/JobLists.ts"
import { JobUpkeep } from "../../../src/platform/jobs/JobUpkeep.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const Services = Layer.mergeAll(JobBoard.layer, JobLists.layer, JobUpkeep.layer).pipe(Layer.provideMerge(TestDatabase))

const claim = Effect.fnUntraced(function* (type: string, owner = "tester") {
  const board = yield* JobBoard
  return yield* board.claim([type], owner, "30 seconds")
})
const mustClaim = (type: string, owner?: string) => Effect.map(claim(type, owner), Option.getOrThrow)

const stateOf = (id: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ state: string; error: string | null; attempts: number }>`
    select state, error, attempts from job where id = ${id}`
  ).pipe(Effect.map((rows) => rows[0]))

layer(Services, { excludeTestServices: true })("JobBoard", (it) => {
  it.effect("gives each of 200 jobs to exactly one of many claimers", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      yield* Effect.forEach(
        Array.from({ length: 200 }, (_, n) => n),
        (n) => board.enqueue({ type: "race", payload: { n } }),
        { concurrency: 8 }
      )
      const claimed: Array<number> = []
      const worker = (owner: string) =>
        Effect.gen(function* () {
          for (;;) {
            const job = yield* claim("race", owner)
            if (Option.isNone(job)) return
            claimed.push(job.value.id)
            yield* board.complete(job.value.lease)
          }
        })
      yield* Effect.all([worker("a"), worker("b"), worker("c"), worker("d")], { concurrency: "unbounded" })
      assert.strictEqual(claimed.length, 200)
      assert.strictEqual(new Set(claimed).size, 200)
    })
  )

  it.effect("takes the most urgent first, and none before its time", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const late = yield* board.enqueue({ type: "order", payload: null, priority: 200 })
      const soon = yield* board.enqueue({ type: "order", payload: null, priority: 1 })
      yield* board.enqueue({ type: "order", payload: null, priority: 0, delayMillis: 60_000 })
      assert.strictEqual((yield* mustClaim("order")).id, soon)
      assert.strictEqual((yield* mustClaim("order")).id, late)
      assert.isTrue(Option.isNone(yield* claim("order")))
    })
  )

  it.effect("gives nothing to anybody while jobs are paused, and tells when they are not any more", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const lists = yield* JobLists
      const upkeep = yield* JobUpkeep
      const id = yield* board.enqueue({ type: "paused", payload: null })
      yield* board.enqueue({ type: "paused", payload: null })
      const running = yield* mustClaim("paused")
      yield* upkeep.pause
      yield* upkeep.pause
      assert.isTrue(Option.isNone(yield* claim("paused")))
      const page = { type: "paused", start: 0, count: 10 }
      assert.strictEqual((yield* lists.list({ ...page, states: ["waiting"], paused: true })).total, 1)
      yield* board.heartbeat(running.lease, "30 seconds")
      yield* board.complete(running.lease)
      assert.strictEqual((yield* stateOf(id))?.state, "completed")
      const heard = yield* Deferred.make<string>()
      const ready = yield* Deferred.make<void>()
      const listener = yield* Effect.forkChild(
        Stream.runForEach(Stream.zipWithIndex(board.wakeUps), ([told, index]) =>
          index === 0 ? Deferred.succeed(ready, undefined) : Deferred.succeed(heard, told)
        )
      )
      yield* Deferred.await(ready)
      yield* upkeep.resume
      assert.strictEqual(yield* Deferred.await(heard), "")
      yield* Fiber.interrupt(listener)
      yield* upkeep.resume
      assert.strictEqual((yield* lists.list({ ...page, states: ["waiting"], paused: true })).total, 0)
      yield* board.complete((yield* mustClaim("paused")).lease)
    })
  )

  it.effect("belongs to the transaction it is added in", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const sql = yield* SqlClient
      const attempt = sql.withTransaction(
        Effect.andThen(board.enqueue({ type: "undone", payload: null }), Effect.fail("changed our mind" as const))
      )
      assert.strictEqual(yield* Effect.flip(attempt), "changed our mind")
      assert.isTrue(Option.isNone(yield* claim("undone")))
    })
  )

  it.effect("has one unfinished job of a key", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const add = board.enqueue({ type: "once", payload: null, dedupeKey: "only" })
      const ids = yield* Effect.all([add, add, add], { concurrency: "unbounded" })
      assert.strictEqual(new Set(ids).size, 1)
      yield* board.complete((yield* mustClaim("once")).lease)
      assert.notStrictEqual(yield* add, ids[0])
    })
  )

  it.effect("counts an attempt before the work, and fails a job that kills its workers", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const upkeep = yield* JobUpkeep
      const id = yield* board.enqueue({ type: "deadly", payload: null, maxAttempts: 2 })
      const first = yield* mustClaim("deadly", "node-1")
      assert.strictEqual(first.attempt, 1)
      // The worker is gone: what its node does at its next start.
      assert.strictEqual(yield* upkeep.expireLeases("node-1"), 1)
      assert.strictEqual((yield* mustClaim("deadly", "node-1")).attempt, 2)
      assert.strictEqual(yield* upkeep.expireLeases("node-1"), 1)
      const end = yield* stateOf(id)
      assert.strictEqual(end?.state, "failed")
      assert.include(end?.error, "node-1")
      assert.isTrue(Option.isNone(yield* claim("deadly")))
    })
  )

  it.effect("gives a job that kills its workers longer and longer pauses, and says what became of each attempt", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const upkeep = yield* JobUpkeep
      const sql = yield* SqlClient
      const id = yield* board.enqueue({ type: "heavy", payload: null, maxAttempts: 5 })
      const pause = sql<{ seconds: number; error: string }>`
        select round(extract(epoch from run_at - updated_at))::int as seconds, error from job where id = ${id}`
      const pauses: Array<number> = []
      for (let attempt = 1; attempt <= 4; attempt++) {
        yield* sql`update job set run_at = now() where id = ${id}`
        yield* mustClaim("heavy", "node-2")
        yield* upkeep.expireLeases("node-2")
        // Who asks sees that it waits for its time, and may begin it at once.
        assert.strictEqual((yield* stateOf(id))?.state, attempt === 1 ? "waiting" : "delayed")
        const [row] = yield* pause
        pauses.push(row!.seconds)
        assert.include(row!.error, `stopped reporting in attempt ${attempt} of 5`)
      }
      assert.deepStrictEqual(pauses, [0, 15, 30, 60])
    })
  )

  it.effect("takes a job up again whose attempt was left, until its attempts are used up", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const id = yield* board.enqueue({ type: "left", payload: null, maxAttempts: 2 })
      const first = yield* mustClaim("left")
      yield* board.leave(first.lease)
      assert.strictEqual((yield* Effect.flip(board.leave(first.lease)))._tag, "LeaseLost")
      const second = yield* mustClaim("left")
      assert.strictEqual(second.attempt, 2)
      yield* board.leave(second.lease)
      assert.deepInclude(yield* stateOf(id), { state: "failed", attempts: 2 })
    })
  )

  it.effect("lists the newest of all states, or of some, page by page", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const lists = yield* JobLists
      const ids: Array<number> = []
      for (let n = 0; n < 7; n++) ids.push(yield* board.enqueue({ type: "paged", payload: { n } }))
      yield* board.complete((yield* mustClaim("paged")).lease)
      yield* board.fail((yield* mustClaim("paged")).lease, "no", { final: true })
      yield* mustClaim("paged")
      const page = (query: Partial<JobQuery>) =>
        Effect.map(lists.list({ type: "paged", start: 0, count: 10, ...query }), ({ data, total }) => [
          total,
          data.map(({ id }) => ids.indexOf(id))
        ])
      assert.deepStrictEqual(yield* page({}), [7, [6, 5, 4, 3, 2, 1, 0]])
      assert.deepStrictEqual(yield* page({ start: 2, count: 3 }), [7, [4, 3, 2]])
      assert.deepStrictEqual(yield* page({ oldestFirst: true, count: 2 }), [7, [0, 1]])
      assert.deepStrictEqual(yield* page({ states: ["waiting", "failed"], count: 3 }), [5, [6, 5, 4]])
      assert.deepStrictEqual(yield* page({ states: ["completed", "failed", "active"] }), [3, [2, 1, 0]])
      assert.deepStrictEqual(yield* page({ states: ["waiting"], paused: true }), [0, []])
    })
  )

  it.effect("takes an expired lease away: the late worker's reports change nothing", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const upkeep = yield* JobUpkeep
      const id = yield* board.enqueue({ type: "slow", payload: null })
      const lost = Option.getOrThrow(yield* board.claim(["slow"], "late", "1 millis"))
      yield* upkeep.expireLeases().pipe(Effect.repeat({ until: (count) => count > 0 }))
      const held = yield* mustClaim("slow", "next")
      assert.strictEqual(held.id, id)
      for (const report of [
        board.heartbeat(lost.lease, "1 minute"),
        board.progress(lost.lease, 50),
        board.complete(lost.lease),
        board.release(lost.lease),
        board.fail(lost.lease, "too late")
      ]) {
        assert.strictEqual((yield* Effect.flip(report))._tag, "LeaseLost")
      }
      assert.deepInclude(yield* stateOf(id), { state: "active", attempts: 2 })
      yield* board.heartbeat(held.lease, "1 minute")
      yield* board.complete(held.lease, { made: 1 })
      assert.strictEqual((yield* stateOf(id))?.state, "completed")
    })
  )

  it.effect("delays after a failure, keeps the text, and gives up in the end", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const sql = yield* SqlClient
      const id = yield* board.enqueue({ type: "flaky", payload: null, maxAttempts: 2 })
      assert.strictEqual(yield* board.fail((yield* mustClaim("flaky")).lease, "first"), "delayed")
      const waits = yield* sql<{ seconds: number }>`
        select extract(epoch from run_at - updated_at)::float8 as seconds from job where id = ${id}`
      assert.isAtLeast(waits[0]!.seconds, 2.5)
      assert.isAtMost(waits[0]!.seconds, 5)
      assert.isTrue(Option.isNone(yield* claim("flaky")))
      yield* sql`update job set run_at = now() where id = ${id}`
      assert.strictEqual(yield* board.fail((yield* mustClaim("flaky")).lease, "second"), "failed")
      assert.deepInclude(yield* stateOf(id), { state: "failed", error: "second" })
      const other = yield* board.enqueue({ type: "hopeless", payload: null })
      assert.strictEqual(yield* board.fail((yield* mustClaim("hopeless")).lease, "no", { final: true }), "failed")
      assert.strictEqual((yield* stateOf(other))?.attempts, 1)
    })
  )

  it.effect("hands back without counting", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      yield* board.enqueue({ type: "returned", payload: null, maxAttempts: 1 })
      yield* board.release((yield* mustClaim("returned")).lease)
      assert.strictEqual((yield* mustClaim("returned")).attempt, 1)
    })
  )

  it.effect("runs chains in order, also when dependencies end at once", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      for (let round = 0; round < 20; round++) {
        const a = yield* board.enqueue({ type: "part", payload: null })
        const b = yield* board.enqueue({ type: "part", payload: null })
        const whole = yield* board.enqueue({ type: "whole", payload: null, dependsOn: [a, b] })
        assert.strictEqual((yield* stateOf(whole))?.state, "waiting-children")
        assert.isTrue(Option.isNone(yield* claim("whole")))
        const parts = yield* Effect.all([mustClaim("part"), mustClaim("part")])
        yield* Effect.forEach(parts, (part) => board.complete(part.lease), { concurrency: "unbounded" })
        const ready = yield* mustClaim("whole")
        assert.strictEqual(ready.id, whole)
        yield* board.complete(ready.lease)
      }
      const done = yield* board.enqueue({ type: "part", payload: null })
      yield* board.complete((yield* mustClaim("part")).lease)
      const after = yield* board.enqueue({ type: "whole", payload: null, dependsOn: [done] })
      assert.strictEqual((yield* mustClaim("whole")).id, after)
    })
  )

  it.effect("fails what waits for a job that fails, down the chain", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const a = yield* board.enqueue({ type: "root", payload: null })
      const b = yield* board.enqueue({ type: "middle", payload: null, dependsOn: [a] })
      const c = yield* board.enqueue({ type: "leaf", payload: null, dependsOn: [b] })
      yield* board.fail((yield* mustClaim("root")).lease, "broken", { final: true })
      assert.strictEqual((yield* stateOf(b))?.state, "failed")
      assert.include((yield* stateOf(c))?.error, `Job ${b}`)
    })
  )

  it.effect("goes with its video", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const sql = yield* SqlClient
      const { videoIds } = yield* seedVideos({ videos: 1, accounts: 1, files: 1 })
      const first = yield* board.enqueue({ type: "ofVideo", payload: null, videoId: videoIds[0]! })
      const outside = yield* board.enqueue({ type: "outside", payload: null, dependsOn: [first] })
      const held = yield* mustClaim("ofVideo")
      yield* sql`delete from video where id = ${videoIds[0]!}`
      assert.strictEqual((yield* Effect.flip(board.heartbeat(held.lease, "1 minute")))._tag, "LeaseLost")
      assert.strictEqual((yield* stateOf(outside))?.state, "waiting")
    })
  )

  it.effect("lists and counts what there is, and forgets what is over", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const lists = yield* JobLists
      const upkeep = yield* JobUpkeep
      const sql = yield* SqlClient
      const ids = yield* Effect.forEach([1, 2, 3], (n) => board.enqueue({ type: "listed", payload: { n } }))
      const page = yield* lists.list({ states: ["waiting"], type: "listed", start: 1, count: 1 })
      assert.strictEqual(page.total, 3)
      assert.deepStrictEqual(
        page.data.map((job) => job.id),
        [ids[1]]
      )
      assert.deepStrictEqual(page.data[0]!.payload, { n: 2 })
      assert.instanceOf(page.data[0]!.createdAt, Date)
      const counts = yield* lists.counts
      assert.deepInclude(counts, { type: "listed", state: "waiting", count: 3 })
      yield* board.complete((yield* mustClaim("listed")).lease)
      assert.strictEqual(yield* upkeep.removeEnded(1), 0)
      yield* sql`update job set finished_at = now() - interval '2 days' where id = ${ids[0]!}`
      assert.strictEqual(yield* upkeep.removeEnded(1), 1)
    })
  )
})

/** A database whose answer to the next claim is lost, after it was written down. */
const lossy = { next: false }
const LossyDatabase = Layer.effect(
  PgClient,
  Effect.map(
    PgClient,
    (real) =>
      new Proxy(real, {
        apply: (target, self, args: Parameters<typeof real>) => {
          const statement: unknown = Reflect.apply(target, self, args)
          if (!lossy.next || !Effect.isEffect(statement) || !String(args[0]).includes("state = 'active'"))
            return statement
          lossy.next = false
          const reason = new ConnectionError({ cause: "lost", message: "lost", operation: "execute" })
          return Effect.andThen(statement, Effect.fail(new SqlError({ reason })))
        }
      })
  )
)

layer(Layer.mergeAll(JobBoard.layer).pipe(Layer.provide(LossyDatabase), Layer.provideMerge(TestDatabase)), {
  excludeTestServices: true
})("A JobBoard whose connections are lost", (it) => {
  it.effect("undoes a claim that got no answer with the next one", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const id = yield* board.enqueue({ type: "unanswered", payload: null })
      lossy.next = true
      assert.strictEqual((yield* Effect.flip(claim("unanswered")))._tag, "DatabaseUnavailable")
      assert.deepInclude(yield* stateOf(id), { state: "active", attempts: 1 })
      assert.strictEqual((yield* mustClaim("unanswered")).attempt, 1)
    })
  )
})
