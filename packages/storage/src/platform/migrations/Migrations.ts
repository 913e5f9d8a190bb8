import { PgClient } from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Data, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { createHash } from "node:crypto"
import { sqlState } from "../database/DatabaseErrors.ts"
import { backup } from "./Backup.ts"
import { migrations, type Migration } from "./MigrationList.ts"

/** Migrations cannot go on; `message` says why and what to do. Nothing of the failed migration was kept. */
export class MigrationFailed extends Data.TaggedError("MigrationFailed")<{
  readonly message: string
  readonly cause?: unknown
}> {}

interface Applied {
  readonly id: number
  readonly name: string
  readonly checksum: string
}

/** Any constant will do, as long as every version of the program takes the same one. */
const advisoryLock = 5_462_001

export const checksum = (migration: Migration): string => createHash("sha256").update(migration.sql).digest("hex")

const undefinedTable = "42P01"

const applied = (sql: SqlClient): Effect.Effect<ReadonlyArray<Applied>, SqlError> =>
  sql<Applied>`select id, name, checksum from schema_migration order by id`.pipe(
    Effect.catchIf(
      (error) => sqlState(error) === undefinedTable,
      () => Effect.succeed([])
    )
  )

/** The migrations still to be applied; fails when the database was written by a newer or altered program. */
const pending = (
  done: ReadonlyArray<Applied>,
  all: ReadonlyArray<Migration>
): Effect.Effect<ReadonlyArray<Migration>, MigrationFailed> => {
  for (const row of done) {
    const known = all.find((migration) => migration.id === row.id)
    if (known === undefined) {
      return Effect.fail(
        new MigrationFailed({
          message:
            `The database has migration ${row.id} (${row.name}), which this program does not know: ` +
            "it was written by a newer version. Start that version, or restore the backup made before the upgrade."
        })
      )
    }
    if (checksum(known) !== row.checksum) {
      return Effect.fail(
        new MigrationFailed({
          message:
            `Migration ${row.id} (${row.name}) was applied in another form than this program has it: ` +
            "an applied migration must not be changed."
        })
      )
    }
  }
  const newest = done.at(-1)?.id ?? 0
  return Effect.succeed(all.filter((migration) => migration.id > newest))
}

/**
 * Runs a script of several statements as one: the wire protocol's prepared statements hold one command each, while
 * EXECUTE takes a list and analyses each only when its turn comes.
 */
const runScript = (sql: SqlClient, script: string) =>
  sql.unsafe(`do $kinora_do$ begin execute $kinora_script$${script}$kinora_script$; end $kinora_do$`)

const apply = Effect.fn("Migrations.apply")(function* (sql: SqlClient, migration: Migration) {
  yield* Effect.logDebug(`Applying migration ${migration.id} (${migration.name})`)
  yield* sql.unsafe("set local statement_timeout = 0")
  yield* runScript(sql, migration.sql)
  yield* sql`insert into schema_migration (id, name, checksum)
    values (${migration.id}, ${migration.name}, ${checksum(migration)})`
})

/**
 * Holds the lock on a session of its own until the scope closes: one of the pool is shared, and a session that has the
 * lock gets it again.
 */
const lock = Effect.fn("Migrations.lock")(function* (sql: PgClient) {
  const connection = yield* PgConnection.make(sql.config)
  let waiting = false
  for (;;) {
    const result = yield* connection.query("select pg_try_advisory_lock($1) as held", [advisoryLock])
    if (result.rows[0]?.held === true) return
    if (!waiting) yield* Effect.logInfo("Another node applies migrations. Waiting for it.")
    waiting = true
    yield* Effect.sleep("200 millis")
  }
})

export interface MigrateOptions {
  /** Where the dump before an upgrade is written. */
  readonly backupsDirectory: string
  /** The migrations to apply, by default those of this program. */
  readonly migrations?: ReadonlyArray<Migration> | undefined
  /** Used for `pg_dump`, when it is installed and new enough. */
  readonly url?: string | undefined
}

/**
 * Brings the schema to this program's version and answers how many migrations were applied. With nothing to do it costs
 * one query. Forward only: each migration is one transaction, recorded with its checksum; nodes starting together take
 * turns by an advisory lock; a database that already holds data is dumped before the first.
 */
export const migrate = Effect.fn("Migrations.migrate")(function* (options: MigrateOptions) {
  const sql = yield* PgClient
  const all = options.migrations ?? migrations
  if ((yield* pending(yield* applied(sql), all)).length === 0) return 0
  return yield* Effect.scoped(
    Effect.gen(function* () {
      yield* lock(sql)
      const done = yield* applied(sql)
      const todo = yield* pending(done, all)
      if (todo.length === 0) return 0
      if (done.length === 0) {
        yield* sql`create table if not exists schema_migration (
          id integer primary key,
          name text not null,
          checksum text not null,
          applied_at timestamptz not null default now()
        )`
      } else {
        yield* backup(sql, { directory: options.backupsDirectory, version: done.at(-1)!.id, url: options.url })
      }
      if (done.length > 0) yield* Effect.logInfo(`Bringing the database to this version: ${todo.length} migrations`)
      for (const migration of todo) {
        yield* sql.withTransaction(apply(sql, migration)).pipe(
          Effect.mapError(
            (cause) =>
              new MigrationFailed({
                message: `Migration ${migration.id} (${migration.name}) failed and was rolled back: ${cause.message}`,
                cause
              })
          )
        )
      }
      return todo.length
    })
  )
})
