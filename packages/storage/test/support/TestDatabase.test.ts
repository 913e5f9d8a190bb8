import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { baselineVersion, schemaFiles } from "../../src/platform/migrations/SchemaFiles.ts"
import { TestDatabase } from "./TestDatabase.ts"

layer(TestDatabase)("TestDatabase", (it) => {
  it.effect("is migrated, empty and able to write", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* sql<{ videos: number; version: number }>`
        select (select count(*) from video) as videos, (select max(id) from schema_migration) as version`
      assert.deepStrictEqual(rows, [{ videos: 0, version: schemaFiles.changes.at(-1)?.id ?? baselineVersion }])
      yield* sql`insert into server (host) values ('peer.example')`
    })
  )
})

/** Uses a database as a suite of its own would; gives its name beside what the suite gave. */
const asSuite = <A, E>(suite: Effect.Effect<A, E, SqlClient>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [row] = yield* sql<{ name: string }>`select current_database() as name`
    return [row!.name, yield* suite] as const
  }).pipe(Effect.provide(Layer.fresh(TestDatabase)))

const addServer = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ id: number }>`insert into server (host) values ('peer.example') returning id`
)

describe("databases of suites", () => {
  it.live("are handed on as they come from the template", () =>
    Effect.gen(function* () {
      const seeds = Effect.flatMap(SqlClient, (sql) => sql`select * from schema_migration order by 1`)
      const [first, [id, before]] = yield* asSuite(Effect.all([addServer, seeds]))
      const [second, rows] = yield* asSuite(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          assert.deepStrictEqual(yield* sql`select 1 from server`, [])
          const now = yield* seeds
          yield* sql`delete from schema_migration`
          return [yield* addServer, now]
        })
      )
      assert.strictEqual(second, first)
      assert.deepStrictEqual(rows, [id, before])
      const [third, restored] = yield* asSuite(seeds)
      assert.deepStrictEqual([third, restored], [first, before])
    })
  )

  it.live("are not handed on when their schema was changed, even back", () =>
    Effect.gen(function* () {
      const [first] = yield* asSuite(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* sql`alter table server rename to elsewhere`
          yield* sql`alter table elsewhere rename to server`
        })
      )
      const [second] = yield* asSuite(addServer)
      assert.notStrictEqual(second, first)
    })
  )
})
