import type { PgClient } from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { version as program } from "@kinora/domain/Version"
import { DateTime, Effect } from "effect"
import { mkdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { writeDump } from "../dump/DumpFile.ts"
import { textSettings } from "../dump/DumpLines.ts"
import type { AppliedSchema } from "./AppliedSchema.ts"
import { BackupFailed } from "./BackupFailed.ts"

const originQuery = "select value #>> '{}' as origin from instance_setting where key = 'origin'"

/** The public address that the instance is known by; null where there is none, or no table that holds it. */
export const originOf = Effect.fnUntraced(function* (connection: PgConnection.PgConnection) {
  const table = yield* connection.query("select to_regclass('instance_setting') is not null as present")
  if (table.rows[0]?.["present"] !== true) return null
  const { rows } = yield* connection.query(originQuery)
  return rows[0] === undefined ? null : String(rows[0]["origin"])
})

/** Begins a transaction that reads one snapshot of the database, and values as dumps write them. */
export const beginSnapshot = Effect.fnUntraced(function* (connection: PgConnection.PgConnection) {
  yield* connection.query("begin transaction isolation level repeatable read, read only")
  for (const setting of textSettings) yield* connection.query(setting)
})

/**
 * Dumps the database into `directory` before an upgrade and answers the file's path. `kinora restore <file>` of the version
 * before the upgrade puts it into an empty database.
 */
export const backup = Effect.fn("Backup.backup")(function* (sql: PgClient, directory: string, applied: AppliedSchema) {
  const now = DateTime.formatIso(yield* DateTime.now)
  const from = applied.steps.at(-1)?.id ?? 0
  const path = join(directory, `before-upgrade-from-${from}-${now.replaceAll(/[:.]/g, "-")}.sql.gz`)
  const partial = `${path}.partial`
  const io = <A>(action: () => Promise<A>) =>
    Effect.tryPromise({ try: action, catch: (cause) => new BackupFailed({ message: `${path}: ${String(cause)}` }) })
  yield* Effect.logInfo(`Dumping the database to ${path} before the upgrade`)
  yield* io(() => mkdir(directory, { recursive: true, mode: 0o700 }))
  const connection = yield* PgConnection.make({ ...sql.config, applicationName: "kinora backup" })
  yield* beginSnapshot(connection)
  const head = {
    format: 1,
    program,
    createdAt: now,
    origin: yield* originOf(connection),
    schema: applied.steps
  } as const
  yield* writeDump(connection, head, partial).pipe(
    Effect.mapError((error) => new BackupFailed({ message: error.message })),
    Effect.onError(() => Effect.promise(() => rm(partial, { force: true })))
  )
  yield* io(() => rename(partial, path))
  return path
}, Effect.scoped)
