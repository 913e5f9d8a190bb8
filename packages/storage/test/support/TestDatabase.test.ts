import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
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
