import { Effect } from "effect"
import type { AppliedSchema } from "./AppliedSchema.ts"
import { MigrationFailed } from "./MigrationFailed.ts"
import {
  baselineChecksum,
  baselineVersion,
  beforeBaseline,
  type Change,
  checksumOf,
  type SchemaFiles
} from "./SchemaFiles.ts"

/** What brings a database to the schema of this program. */
export interface MigrationPlan {
  /** What the database is now: without any table, of the last version before the baseline, or of the baseline or later. */
  readonly from: "nothing" | "before baseline" | "baseline"
  /** Its newest step: 0 where there is none. */
  readonly version: number
  readonly changes: ReadonlyArray<Change>
  /** Whether anything is to be done. */
  readonly isNeeded: boolean
}

const refuse = (message: string) => Effect.fail(new MigrationFailed({ message }))

const takenOver = (applied: AppliedSchema): Effect.Effect<void, MigrationFailed> => {
  const newest = applied.steps.at(-1)
  if (newest === undefined) return Effect.void
  if (newest.id < beforeBaseline.id) {
    return refuse(
      `The database has schema version ${newest.id}, and this program upgrades from version ${beforeBaseline.id} on: ` +
        "upgrade to version 0.1.0 first, start it once, then start this one."
    )
  }
  return newest.checksum === beforeBaseline.checksum
    ? Effect.void
    : refuse(
        `Migration ${newest.id} (${newest.name}) was applied in another form than version 0.1.0 has it: ` +
          "this database was written by a version that was never released."
      )
}

const checked = (applied: AppliedSchema, schema: SchemaFiles): Effect.Effect<void, MigrationFailed> => {
  const known = new Map([
    [baselineVersion, baselineChecksum(schema)],
    ...schema.changes.map((change) => [change.id, checksumOf(change)] as const)
  ])
  for (const step of applied.steps) {
    if (step.id <= beforeBaseline.id) continue
    const expected = known.get(step.id)
    if (expected === undefined) {
      return refuse(
        `The database has migration ${step.id} (${step.name}), which this program does not know: ` +
          "it was written by a newer version. Start that version, or restore the backup made before the upgrade."
      )
    }
    if (expected !== step.checksum) {
      return refuse(
        `Migration ${step.id} (${step.name}) was applied in another form than this program has it: ` +
          "files of tables and changes must not be altered once they are released."
      )
    }
  }
  return Effect.void
}

const isSame = (files: AppliedSchema["files"], schema: SchemaFiles): boolean =>
  Object.keys(files).length === schema.repeatable.length &&
  schema.repeatable.every((file) => files[file.path] === checksumOf(file))

const plan = (one: MigrationPlan): MigrationPlan => one

/** What is to be done; fails when the database was written by a newer, an altered or a too old program. */
export const planOf = Effect.fnUntraced(function* (applied: AppliedSchema, schema: SchemaFiles) {
  yield* checked(applied, schema)
  const version = applied.steps.at(-1)?.id ?? 0
  if (version < baselineVersion) {
    yield* takenOver(applied)
    const from = version === 0 ? "nothing" : "before baseline"
    return plan({ from, version, changes: schema.changes, isNeeded: true })
  }
  const done = new Set(applied.steps.map((step) => step.id))
  const changes = schema.changes.filter((change) => !done.has(change.id))
  const isNeeded = changes.length > 0 || !isSame(applied.files, schema)
  return plan({ from: "baseline", version, changes, isNeeded })
})
