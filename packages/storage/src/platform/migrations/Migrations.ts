import { PgClient } from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { sqlState } from "../database/DatabaseErrors.ts"
import { applicationTables, readApplied } from "./AppliedSchema.ts"
import { backup } from "./Backup.ts"
import { MigrationFailed } from "./MigrationFailed.ts"
import { type MigrationPlan, planOf } from "./MigrationPlan.ts"
import { dropOwnObjects, presentObjects, recordOwnObjects } from "./OwnObjects.ts"
import { baselineChecksum, baselineVersion, checksumOf, type SchemaFiles, schemaFiles } from "./SchemaFiles.ts"
import type { SqlFile } from "./SqlFolder.ts"

/** Any constant will do, as long as every version of the program takes the same one. */
const advisoryLock = 5_462_001

/**
 * Runs a script of several statements as one: the wire protocol's prepared statements hold one command each, while
 * EXECUTE takes a list and analyses each only when its turn comes.
 */
const runScript = (sql: SqlClient, file: SqlFile) =>
  sql
    .unsafe(`do $kinora_do$ begin execute $kinora_script$${file.text}$kinora_script$; end $kinora_do$`)
    .pipe(Effect.mapError((cause) => failed(`sql/${file.path}`, cause)))

/** What the server said; the error itself says no more than that a statement failed. */
const failed = (what: string, cause: SqlError) => {
  const said = cause.reason.cause instanceof Error ? cause.reason.cause.message : cause.message
  return new MigrationFailed({ message: `${what} failed, and all was rolled back: ${said}`, cause })
}

const record = (sql: SqlClient, id: number, name: string, checksum: string) =>
  sql`insert into schema_migration (id, name, checksum) values (${id}, ${name}, ${checksum})`

const recordFiles = Effect.fnUntraced(function* (sql: SqlClient, files: ReadonlyArray<SqlFile>) {
  const checksums = JSON.stringify(Object.fromEntries(files.map((file) => [file.path, checksumOf(file)])))
  yield* sql`delete from schema_file where path not in (select json_object_keys(${checksums}::json))`
  yield* sql`insert into schema_file as f (path, checksum) select key, value from json_each_text(${checksums}::json)
    on conflict (path) do update set checksum = excluded.checksum, applied_at = now() where f.checksum <> excluded.checksum`
})

/** Everything that is to be done, in one transaction. Changes see tables alone: no function, view or trigger is there. */
const apply = Effect.fn("Migrations.apply")(function* (sql: SqlClient, schema: SchemaFiles, plan: MigrationPlan) {
  yield* sql.unsafe("set local statement_timeout = 0")
  // Functions may name each other, whichever comes first.
  yield* sql.unsafe("set local check_function_bodies = off")
  for (const table of applicationTables) yield* sql.unsafe(table)
  if (plan.from === "baseline") yield* dropOwnObjects(sql)
  else {
    const scripts = plan.from === "nothing" ? schema.baseline : schema.takeover
    yield* Effect.logDebug(plan.from === "nothing" ? "Making the tables" : "Taking over the tables of version 0.1.0")
    for (const file of scripts) yield* runScript(sql, file)
    yield* record(sql, baselineVersion, "baseline", baselineChecksum(schema))
  }
  for (const change of plan.changes) {
    const applying = `Applying change ${change.id} (${change.name})`
    // A new database is made by the same steps as an old one, which is of no interest there.
    yield* plan.from === "nothing" ? Effect.logDebug(applying) : Effect.logInfo(applying)
    yield* runScript(sql, change)
    yield* record(sql, change.id, change.name, checksumOf(change))
  }
  yield* Effect.logDebug("Making functions, views and triggers")
  const before = yield* presentObjects(sql)
  for (const file of schema.repeatable) yield* runScript(sql, file)
  yield* recordOwnObjects(sql, before)
  yield* recordFiles(sql, schema.repeatable)
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

/** Nodes that still run hold locks in an order of their own. */
const isDeadlock = (error: unknown): boolean => {
  const cause = error instanceof MigrationFailed ? error.cause : error
  return isSqlError(cause) && sqlState(cause) === "40P01"
}

export interface MigrateOptions {
  /** Where the dump before an upgrade is written; undefined for data that can be made again. */
  readonly backupsDirectory: string | undefined
  /** The schema to bring the database to, by default that of this program. */
  readonly schema?: SchemaFiles | undefined
}

/**
 * Brings the schema to this program's version and answers whether anything was done. With nothing to do it costs one
 * query. Forward only, in one transaction: when it fails, the database is as it was. Nodes starting together take turns
 * by an advisory lock; a database whose tables are to change is dumped first.
 */
export const migrate = Effect.fn("Migrations.migrate")(function* (options: MigrateOptions) {
  const sql = yield* PgClient
  const { backupsDirectory: directory, schema = schemaFiles } = options
  if (!(yield* planOf(yield* readApplied(sql), schema)).isNeeded) return false
  return yield* Effect.scoped(
    Effect.gen(function* () {
      yield* lock(sql)
      const applied = yield* readApplied(sql)
      const todo = yield* planOf(applied, schema)
      if (!todo.isNeeded) return false
      const touchesTables = todo.from === "before baseline" || (todo.from === "baseline" && todo.changes.length > 0)
      if (touchesTables && directory !== undefined) yield* backup(sql, directory, applied)
      yield* sql.withTransaction(apply(sql, schema, todo)).pipe(
        Effect.retry({ while: isDeadlock, times: 5 }),
        Effect.mapError((error) => (isSqlError(error) ? failed("The upgrade of the database", error) : error))
      )
      return true
    })
  )
})
