import type { PgClient } from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { createHash, randomUUID } from "node:crypto"
import { layer as databaseLayer } from "../../src/platform/database/Database.ts"
import type { SlowSql } from "../../src/platform/database/SlowSql.ts"
import { EmbeddedPostgres } from "../../src/platform/embedded/EmbeddedPostgres.ts"
import { migrate } from "../../src/platform/migrations/Migrations.ts"
import { sqlFiles } from "../../src/platform/migrations/SqlFiles.ts"
import { TestServer } from "./TestServer.ts"

const templateLock = 771_201
const templateName = `kinora_template_${createHash("sha256").update(JSON.stringify(sqlFiles)).digest("hex").slice(0, 16)}`

const databaseUrl = (server: Redacted.Redacted, name: string): Redacted.Redacted => {
  const url = new URL(Redacted.value(server))
  url.pathname = `/${name}`
  return Redacted.make(url.href)
}

const connect = (url: Redacted.Redacted) => databaseLayer({ url, applicationName: "kinora-test", maxConnections: 8 })

/** Makes the migrated template once per state of the schema; suites that start together wait for one. */
const makeTemplate = Effect.fn("TestDatabase.makeTemplate")(function* (sql: SqlClient, server: Redacted.Redacted) {
  const there = sql`select 1 from pg_database where datname = ${templateName}`
  if ((yield* there).length > 0) return
  const connection = yield* PgConnection.make({ url: server, applicationName: "kinora-test" })
  yield* connection.query(`select pg_advisory_lock(${templateLock})`)
  if ((yield* there).length === 0) {
    const draft = `${templateName}_${randomUUID().slice(0, 8)}`
    yield* sql.unsafe(`create database ${draft}`)
    yield* migrate({ backupsDirectory: "/nonexistent" }).pipe(Effect.provide(connect(databaseUrl(server, draft))))
    yield* sql.unsafe(`alter database ${draft} rename to ${templateName}`)
  }
}, Effect.scoped)

const make = Effect.fnUntraced(function* (migrated: boolean) {
  const server = yield* EmbeddedPostgres
  const name = `test_${randomUUID().replaceAll("-", "")}`
  const admin = connect(server.url)
  yield* Effect.acquireRelease(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      if (migrated) yield* makeTemplate(sql, server.url)
      yield* sql.unsafe(`create database ${name} template ${migrated ? templateName : "template0"}`)
    }).pipe(Effect.provide(admin)),
    () =>
      Effect.flatMap(SqlClient, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`)).pipe(
        Effect.provide(Layer.fresh(admin)),
        Effect.orDie
      )
  )
  return connect(databaseUrl(server.url, name))
})

/** Under the test clock a wait for the server would never end. */
const RealClock = Layer.succeed(Clock.Clock, Context.get(Context.empty(), Clock.Clock))

const database = (migrated: boolean): Layer.Layer<SqlClient | PgClient | SlowSql> =>
  Layer.unwrap(make(migrated)).pipe(Layer.provide(TestServer), Layer.provide(RealClock), Layer.orDie)

/**
 * A migrated, empty database for one suite, dropped at its end: `layer(TestDatabase)("suite", (it) => …)`. Gives
 * `SqlClient` and `PgClient`. Suites do not see each other's rows; the tests of one suite do.
 */
export const TestDatabase = database(true)

/** A database without any table, for tests of the migrations; `Layer.fresh` gives another one. */
export const EmptyDatabase = database(false)
