import { PgClient } from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import { readDump } from "../../platform/dump/DumpFile.ts"
import { type DumpHead, DumpUnusable } from "../../platform/dump/DumpHead.ts"
import { loadDump } from "../../platform/dump/LoadDump.ts"
import { readApplied } from "../../platform/migrations/AppliedSchema.ts"
import { migrate } from "../../platform/migrations/Migrations.ts"
import { baselineChecksum, baselineVersion, checksumOf, schemaFiles } from "../../platform/migrations/SchemaFiles.ts"

/** Whether an instance has its rows in the database: one that was only brought to a schema has none. */
export const holdsInstance = Effect.fn("DatabaseRestore.holdsInstance")(function* () {
  const sql = yield* PgClient
  if ((yield* readApplied(sql)).steps.length === 0) return false
  const [row] = yield* sql<{ filled: boolean }>`
    select exists (select 1 from instance_setting where key = 'installed_at') or exists (select 1 from actor) as filled`
  return row?.filled === true
})

/** Refuses a dump whose tables this program cannot make: one of a newer version, or of a version from before the baseline. */
export const checkSchema = Effect.fnUntraced(function* (head: DumpHead) {
  const known = new Map([
    [baselineVersion, baselineChecksum(schemaFiles)],
    ...schemaFiles.changes.map((change) => [change.id, checksumOf(change)] as const)
  ])
  const steps = head.schema.filter((step) => step.id >= baselineVersion)
  const unknown = steps.find((step) => known.get(step.id) !== step.checksum)
  if (unknown !== undefined) {
    return yield* new DumpUnusable({
      message:
        `The backup has schema change ${unknown.id} (${unknown.name}), which this version of Kinora does not have: ` +
        `version ${head.program} or a later one made it. Restore it with that version.`
    })
  }
  if (steps.length === 0) {
    return yield* new DumpUnusable({
      message: `The backup is of schema version ${head.schema.at(-1)?.id ?? 0}, older than any that this version reads. Load it with psql into a database of version ${head.program} (docs/operating.md, Upgrade), then upgrade.`
    })
  }
})

/**
 * Refuses a database that holds no instance and was brought to a newer schema than the dump has, as by an import that ended
 * before its first row: its tables are not taken back.
 */
export const checkTarget = Effect.fn("DatabaseRestore.checkTarget")(function* (head: DumpHead) {
  const known = new Set(head.schema.map((step) => step.id))
  const newer = (yield* readApplied(yield* PgClient)).steps.find((step) => !known.has(step.id))
  if (newer === undefined) return
  return yield* new DumpUnusable({
    message:
      `The database holds no instance, but has schema change ${newer.id} (${newer.name}), which is newer than the backup. ` +
      "Restore into an empty database: name another one, or, with the embedded one, move the folder `postgres` of the data folder away."
  })
})

/**
 * Fills a database that holds no instance with a dump and brings it to this program's schema. All rows or none: when it
 * fails, the database still holds no instance. `onBytes` is called with the number of bytes read from the file.
 */
export const restoreDatabase = Effect.fn("DatabaseRestore.restore")(function* (
  path: string,
  head: DumpHead,
  onBytes: (bytes: number) => void
) {
  yield* checkSchema(head)
  yield* checkTarget(head)
  const sql = yield* PgClient
  const steps = new Set(head.schema.map((step) => step.id))
  const changes = schemaFiles.changes.filter((change) => steps.has(change.id))
  // Tables alone: functions and triggers of today may need tables that later changes make.
  yield* migrate({ backupsDirectory: undefined, schema: { ...schemaFiles, changes, repeatable: [] } })
  const connection = yield* PgConnection.make({ ...sql.config, applicationName: "kinora restore" })
  yield* loadDump(connection, readDump(path, onBytes))
  yield* migrate({ backupsDirectory: undefined })
  // Estimates of the planner are of empty tables.
  yield* connection.query("analyze", [], false)
}, Effect.scoped)
