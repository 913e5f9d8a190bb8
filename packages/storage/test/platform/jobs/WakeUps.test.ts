import { assert, layer } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg/PgClient"
import { Context, Deferred, Effect, Fiber, Layer, Queue, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { layer as databaseLayer } from "../../../src/platform/database/Database.ts"
import { JobBoard } from "../../../src/platform/jobs/JobBoard.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

layer(JobBoard.layer.pipe(Layer.provideMerge(TestDatabase)), { excludeTestServices: true })("The job board", (it) => {
  it.effect("wakes listeners when a job becomes claimable, at commit", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const listening = yield* Deferred.make<void>()
      const heard = yield* board.wakeUps.pipe(
        Stream.tap((type) => (type === "" ? Deferred.succeed(listening, undefined) : Effect.void)),
        Stream.takeUntil((type) => type === "noticed"),
        Stream.runCollect,
        Effect.forkChild
      )
      yield* Deferred.await(listening)
      yield* board.enqueue({ type: "noticed", payload: null })
      assert.include(yield* Fiber.join(heard), "noticed")
    })
  )

  it.effect("wakes listeners without taking connections from those who work", () =>
    Effect.gen(function* () {
      const { url } = (yield* PgClient).config
      const narrow = yield* Layer.build(
        Layer.fresh(JobBoard.layer).pipe(Layer.provide(databaseLayer({ url: url!, maxConnections: 1 })))
      )
      const board = Context.get(narrow, JobBoard)
      for (const _ of ["workers", "mail"]) {
        const listening = yield* Deferred.make<void>()
        yield* Effect.forkScoped(Stream.runForEach(board.wakeUps, () => Deferred.succeed(listening, undefined)))
        yield* Deferred.await(listening)
      }
      const id = yield* board.enqueue({ type: "beside", payload: null })
      assert.isAbove(id, 0)
    })
  )

  it.effect("has one connection for all who listen, and tells all of them when it was lost", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const board = Context.get(yield* Layer.build(Layer.fresh(JobBoard.layer)), JobBoard)
      const ears = sql<{ pid: number }>`
        select pid from pg_stat_activity where datname = current_database() and query ~* '^listen "?job"?$'`
      yield* ears.pipe(Effect.repeat({ until: (rows) => rows.length === 0 }))
      const listener = Effect.gen(function* () {
        const told = yield* Queue.unbounded<string>()
        yield* Effect.forkScoped(Stream.runForEach(board.wakeUps, (type) => Queue.offer(told, type)))
        assert.strictEqual(yield* Queue.take(told), "")
        return told
      })
      const first = yield* listener
      yield* board.enqueue({ type: "shared", payload: null })
      assert.strictEqual(yield* Queue.take(first), "shared")
      const second = yield* listener
      const [ear, ...more] = yield* ears
      assert.deepStrictEqual(more, [])
      for (const type of ["both", "again"]) {
        yield* board.enqueue({ type, payload: null })
        for (const told of [first, second]) assert.strictEqual(yield* Queue.take(told), type)
      }
      yield* sql`select pg_terminate_backend(${ear!.pid})`
      for (const told of [first, second]) assert.strictEqual(yield* Queue.take(told), "")
      yield* board.enqueue({ type: "after", payload: null })
      for (const told of [first, second]) assert.strictEqual(yield* Queue.take(told), "after")
    })
  )
})
