import { assert, layer } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../../src/platform/database/Database.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

layer(TestDatabase)("a transaction", (it) => {
  it.effect("that deadlocks with another one is run again, and both are done", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`create table counted (id integer primary key, n integer not null default 0)`
      yield* sql`insert into counted (id) values (1), (2)`
      const holds = [yield* Deferred.make<void>(), yield* Deferred.make<void>()] as const
      let runs = 0
      const raise = (id: number) => sql`update counted set n = n + 1 where id = ${id}`
      const both = (mine: 0 | 1) =>
        sql.withTransaction(
          Effect.gen(function* () {
            runs++
            yield* raise(1 + mine)
            yield* Deferred.succeed(holds[mine], undefined)
            yield* Deferred.await(holds[mine === 0 ? 1 : 0])
            yield* raise(2 - mine)
          })
        )
      yield* Effect.all([both(0), both(1)], { concurrency: 2 })
      assert.isAbove(runs, 2)
      assert.deepStrictEqual(yield* sql`select n from counted order by id`, [{ n: 2 }, { n: 2 }])
    })
  )

  it.effect("is run four times at most, also when a repository inside has named the failure", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      let runs = 0
      const victim = Effect.suspend(() => {
        runs++
        return sql.unsafe("do $$ begin raise sqlstate '40001'; end $$")
      })
      const transactions = [sql.withTransaction(victim), sql.withTransaction(withDatabaseErrors(victim))]
      for (const transaction of transactions.map(withDatabaseErrors)) {
        runs = 0
        const error = yield* Effect.flip(transaction)
        assert.strictEqual(error._tag, "DatabaseUnavailable")
        assert.strictEqual(runs, 4)
      }
    })
  )

  it.effect("whose failures are its own is run once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      let runs = 0
      const fails = Effect.suspend(() => {
        runs++
        return Effect.fail("no" as const)
      })
      assert.strictEqual(yield* Effect.flip(sql.withTransaction(fails)), "no")
      assert.strictEqual(runs, 1)
    })
  )

  it.effect("whose connection dies in it is a database that is away, and the next one works", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const killed = sql.withTransaction(
        Effect.gen(function* () {
          const [row] = yield* sql<{ pid: number }>`select pg_backend_pid() as pid`
          yield* Deferred.succeed(victim, row!.pid)
          yield* Deferred.await(gone)
          yield* sql`select 1`
        })
      )
      const victim = yield* Deferred.make<number>()
      const gone = yield* Deferred.make<void>()
      const kill = Effect.gen(function* () {
        const pid = yield* Deferred.await(victim)
        yield* sql`select pg_terminate_backend(${pid}, 5000)`
        yield* Deferred.succeed(gone, undefined)
      })
      const [error] = yield* Effect.all([Effect.flip(withDatabaseErrors(killed)), kill], { concurrency: 2 })
      assert.strictEqual(error._tag, "DatabaseUnavailable")
      assert.deepStrictEqual(yield* sql.withTransaction(sql`select 1 as one`), [{ one: 1 }])
    })
  )

  it.effect("that finds the disk full is a database that is away", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const state of ["53100", "53200", "25006", "58030"]) {
        const fails = sql.withTransaction(sql.unsafe(`do $$ begin raise sqlstate '${state}'; end $$`))
        const error = yield* Effect.flip(withDatabaseErrors(fails))
        assert.strictEqual(error._tag, "DatabaseUnavailable")
      }
    })
  )
})
