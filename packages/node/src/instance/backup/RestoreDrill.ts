import { countRows, newestChange } from "@kinora/storage/instance/backup/RowCounts"
import { StorageCheck } from "@kinora/storage/instance/inventory/StorageCheck"
import { Effect, Option, Stream } from "effect"
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"
import type { Configuration } from "../../platform/config/Configuration.ts"
import { BackupProblem } from "./BackupFormat.ts"
import { io } from "./BackupPlace.ts"
import type { BackupSource } from "./BackupSource.ts"
import { restoreBackup } from "./RestoreBackup.ts"

/** The configuration of an instance that has nothing in common with this one but the program. */
const inFolder = (config: Configuration, dataDir: string, origin: string | null): Configuration => ({
  ...config,
  storage: Object.fromEntries(
    Object.keys(config.storage).map((name) => [name, join(dataDir, name)])
  ) as unknown as Configuration["storage"],
  derived: {
    ...config.derived,
    dataDir,
    databaseUrl: Option.none(),
    redisUrl: Option.none(),
    origin: origin ?? config.derived.origin
  }
})

/** A folder of the drill below `parent`, and its configuration. All of it goes with the scope. */
export const makeDrillConfig = Effect.fnUntraced(function* (parent: string | undefined, origin: string | null) {
  const config = yield* KinoraConfig
  const below = parent ?? config.storage.tmp
  const folder = yield* Effect.acquireRelease(
    io(below, async () => {
      await mkdir(below, { recursive: true })
      const made = await mkdtemp(join(below, "restore-drill-"))
      // The account of the embedded database has to get to its folder.
      await chmod(made, 0o711)
      return made
    }),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  return inFolder(config, folder, origin)
})

const differs = (message: string) => new BackupProblem({ message: `The restored instance differs: ${message}` })

/**
 * Restores a backup for a trial into the folder and the empty embedded database of the configuration in the context, and
 * compares the rows of each table and the files that they name with what the backup was made of.
 */
export const restoreForTrial = Effect.fn("restoreForTrial")(function* (source: BackupSource) {
  const { manifest } = source
  yield* restoreBackup(source, { renameHost: false })
  const { rows = {} } = manifest
  // A later version may add and remove rows while it upgrades.
  const isSame = (yield* newestChange) === manifest.head.schema.at(-1)?.id
  const found = isSame ? yield* countRows(Object.keys(rows)) : {}
  for (const [table, count] of Object.entries(found)) {
    if (count !== rows[table]) return yield* differs(`table ${table} has ${count} rows instead of ${rows[table]}.`)
  }
  const missing = yield* Stream.runCount((yield* StorageCheck).missing)
  const expected = manifest.missing + (manifest.leftOut?.files ?? 0)
  if (missing > expected) {
    return yield* differs(`${missing} files that rows name are missing, and ${expected} were when the backup was made.`)
  }
  return {
    tables: Object.keys(found).length,
    rows: Object.values(found).reduce((sum, count) => sum + count, 0),
    files: manifest.files
  }
})
