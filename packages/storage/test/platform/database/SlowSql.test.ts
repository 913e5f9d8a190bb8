import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../../src/platform/database/Database.ts"
import { SlowSql } from "../../../src/platform/database/SlowSql.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

layer(TestDatabase)("SlowSql", (it) => {
  it.effect("lets nothing quick wait behind what is slow", () =>
    Effect.gen(function* () {
      const slow = yield* SlowSql
      const sql = yield* SqlClient
      const fiber = yield* Effect.forkChild(slow`select pg_advisory_lock(771301), pg_sleep(60)`)
      // Seen as running before anything else is asked.
      const running = sql<{ n: number }>`
        select count(*)::int as n from pg_locks where locktype = 'advisory' and objid = 771301 and granted`
      yield* Effect.repeat(running, { until: (rows) => rows[0]!.n === 1 })
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? slow : sql)<{ n: number }>`select ${n}::int as n`),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        answers.map((rows) => rows[0]!.n),
        [0, 1, 2, 3, 4, 5, 6, 7]
      )
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("gives up after five seconds, and says that there is too much to do", () =>
    Effect.gen(function* () {
      const slow = yield* SlowSql
      const rows = yield* slow<{ least: string }>`select current_setting('statement_timeout') as least`
      assert.strictEqual(rows[0]!.least, "5s")
      const result = yield* slow
        .withTransaction(Effect.andThen(slow`set local statement_timeout = 50`, slow`select pg_sleep(60)`))
        .pipe(withDatabaseErrors, Effect.result)
      assert.isTrue(Result.isFailure(result))
      if (Result.isFailure(result)) assert.strictEqual(result.failure._tag, "DatabaseUnavailable")
    })
  )
})
