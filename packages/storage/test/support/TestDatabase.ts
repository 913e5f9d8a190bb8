import type { PgClient } from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { createHash, randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { layer as databaseLayer } from "../../src/platform/database/Database.ts"
import type { SlowSql } from "../../src/platform/database/SlowSql.ts"
import { EmbeddedPostgres } from "../../src/platform/embedded/EmbeddedPostgres.ts"
import { migrate } from "../../src/platform/migrations/Migrations.ts"
import { sqlFiles } from "../../src/platform/migrations/SqlFiles.ts"
import { type Pristine, pristine, reset } from "./DatabaseReset.ts"
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

/** A database that this process made of the template. */
interface Copy {
  readonly name: string
  readonly pristine: Pristine
}

/** Those that no suite has: files of one worker share this module. */
const free: Array<Copy> = []
let swept = false

/** Whether a process of this machine runs, and so may still use what it has made. */
const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Begins the names of what processes of this machine make: a server may be shared with other machines. */
const machine = `test_${createHash("sha256").update(hostname()).digest("hex").slice(0, 8)}`

/** Drops copies of processes that are gone. */
const sweep = Effect.fnUntraced(function* (sql: SqlClient) {
  if (swept) return
  swept = true
  const all = yield* sql<{ name: string }>`
    select datname as name from pg_database where starts_with(datname, ${`${machine}_`})`
  for (const { name } of all) {
    if (runs(Number(name.split("_")[2]))) continue
    // Another process may have dropped it, and one that a connection is open to is dropped next time.
    yield* Effect.ignore(sql.unsafe(`drop database if exists ${name}`))
  }
})

const newName = () => `${machine}_${process.pid}_${randomUUID().slice(0, 8)}`

const newCopy = Effect.fnUntraced(function* (server: Redacted.Redacted) {
  const sql = yield* SqlClient
  yield* sweep(sql)
  yield* makeTemplate(sql, server)
  const name = newName()
  yield* sql.unsafe(`create database ${name} template ${templateName}`)
  const noted = yield* Effect.provide(pristine, connect(databaseUrl(server, name)))
  return { name, pristine: noted } satisfies Copy
})

const drop = (name: string) =>
  Effect.flatMap(SqlClient, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`))

/** A copy of the template for as long as the scope is open; the next who asks gets it again. */
const copy = Effect.fnUntraced(function* (server: Redacted.Redacted) {
  const admin = connect(server)
  const { name } = yield* Effect.acquireRelease(
    Effect.suspend(() => {
      const there = free.pop()
      return there === undefined ? Effect.provide(newCopy(server), admin) : Effect.succeed(there)
    }),
    (made) =>
      reset(made.pristine).pipe(
        Effect.provide(Layer.fresh(connect(databaseUrl(server, made.name)))),
        Effect.flatMap((isPristine) =>
          isPristine
            ? Effect.sync(() => void free.push(made))
            : Effect.asVoid(Effect.provide(drop(made.name), Layer.fresh(admin)))
        ),
        Effect.orDie
      )
  )
  return name
})

const empty = Effect.fnUntraced(function* (server: Redacted.Redacted) {
  const name = newName()
  yield* Effect.acquireRelease(
    Effect.flatMap(SqlClient, (sql) => sql.unsafe(`create database ${name} template template0`)).pipe(
      Effect.provide(connect(server))
    ),
    () => Effect.orDie(Effect.provide(drop(name), Layer.fresh(connect(server))))
  )
  return name
})

const make = Effect.fnUntraced(function* (migrated: boolean) {
  const server = yield* EmbeddedPostgres
  return connect(databaseUrl(server.url, yield* migrated ? copy(server.url) : empty(server.url)))
})

/** Under the test clock a wait for the server would never end. */
const RealClock = Layer.succeed(Clock.Clock, Context.get(Context.empty(), Clock.Clock))

const database = (migrated: boolean): Layer.Layer<SqlClient | PgClient | SlowSql> =>
  Layer.unwrap(make(migrated)).pipe(Layer.provide(TestServer), Layer.provide(RealClock), Layer.orDie)

/**
 * A migrated, empty database for one suite: `layer(TestDatabase)("suite", (it) => …)`. Gives `SqlClient` and `PgClient`.
 * Suites do not see each other's rows; the tests of one suite do. At the end of the suite it is emptied for the next suite
 * of this worker, or dropped when its schema was changed.
 */
export const TestDatabase = database(true)

/** A database without any table, for tests of the migrations; `Layer.fresh` gives another one. */
export const EmptyDatabase = database(false)
