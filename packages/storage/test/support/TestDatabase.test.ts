import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { migrations } from "../../src/platform/migrations/MigrationList.ts"
import { TestDatabase } from "./TestDatabase.ts"

layer(TestDatabase)("TestDatabase", (it) => {
  it.effect("is migrated, empty and able to write", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* sql<{ videos: number; migrations: number }>`
        select (select count(*) from video) as videos, (select count(*) from schema_migration) as migrations`
      assert.deepStrictEqual(rows, [{ videos: 0, migrations: migrations.length }])
      yield* sql`insert into server (host) values ('peer.example')`
    })
  )
})
