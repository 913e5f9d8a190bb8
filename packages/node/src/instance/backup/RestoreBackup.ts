import { checkSchema, holdsInstance, restoreDatabase } from "@kinora/storage/instance/backup/DatabaseRestore"
import { settleOrigin } from "@kinora/storage/instance/installation/Origin"
import type { DumpHead } from "@kinora/storage/platform/dump/DumpHead"
import { Console, Effect, Exit, Schedule, Stream } from "effect"
import { statfs } from "node:fs/promises"
import { join } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { lockFolder } from "../../platform/folders/FolderLock.ts"
import { existingData } from "../../platform/folders/ExistingData.ts"
import { usableFolder } from "../../platform/folders/UsableFolder.ts"
import { BackupProblem, type Manifest } from "./BackupFormat.ts"
import { checkSizes, filesOf, hasDigest } from "./OpenBackup.ts"
import { placeFile } from "./PlaceFile.ts"
import { inUnits, makeProgress } from "./Progress.ts"

export interface RestoreOptions {
  /** Whether the instance may get another public address than the backup's. */
  readonly renameHost: boolean
}

/** Refuses a backup that this program or this configuration is not for. Reads nothing but its head. */
export const checkHead = Effect.fnUntraced(function* (head: DumpHead, { renameHost }: RestoreOptions) {
  const { derived } = yield* KinoraConfig
  yield* checkSchema(head)
  if (head.origin === null || head.origin === derived.origin || renameHost) return
  return yield* new BackupProblem({
    message:
      `The backup is of ${head.origin}, and the configuration says ${derived.origin} (webserver.*). Set webserver.* to the ` +
      "address of the backup. To give the instance the other address for good, add --rename-host: other instances lose what they know of it."
  })
})

/** Refuses to restore over files of an instance, and without the room for those of the backup. */
export const checkFolders = Effect.fnUntraced(function* (manifest: Manifest) {
  const config = yield* KinoraConfig
  const { dataDir } = config.derived
  const found = yield* existingData(config)
  if (found !== undefined) {
    return yield* new BackupProblem({
      message: `There is an instance already: ${found}. A backup is restored into empty folders. Set KINORA_DATA_DIR to a new one, or move the old one away.`
    })
  }
  const disk = yield* Effect.promise(() => statfs(dataDir).catch(() => undefined))
  const free = disk === undefined ? Infinity : disk.bavail * disk.bsize
  const needed = manifest.bytes + 10 * manifest.database.size
  if (free < needed) {
    return yield* new BackupProblem({
      message: `The backup takes about ${inUnits(needed)}, and ${dataDir} has ${inUnits(free)} free. Make room first.`
    })
  }
})

/** Refuses a database that holds an instance. */
export const checkDatabase = Effect.gen(function* () {
  if (yield* holdsInstance()) {
    return yield* new BackupProblem({
      message: "The database holds an instance already. A backup is restored into an empty database."
    })
  }
})

/** Loads the dump, and renames the instance where that is wanted. */
const loadDatabase = Effect.fnUntraced(function* (path: string, size: number, head: DumpHead, options: RestoreOptions) {
  const { derived } = yield* KinoraConfig
  const progress = yield* makeProgress("Loading the database", size)
  yield* Console.error("Loading the database")
  yield* restoreDatabase(path, head, progress.bytes).pipe(
    Effect.raceFirst(Effect.andThen(Effect.repeat(progress.say, Schedule.spaced("1 second")), Effect.never))
  )
  if (yield* settleOrigin(derived.origin, options.renameHost)) {
    yield* Console.error(`The instance was ${head.origin} and is ${derived.origin} from now on.`)
  }
})

/**
 * Restores a backup into an instance that is none yet, and that no node runs over. When anything fails what was written is
 * removed again.
 */
export const restoreBackup = Effect.fn("restoreBackup")(function* (
  folder: string,
  manifest: Manifest,
  options: RestoreOptions
) {
  const { derived, storage } = yield* KinoraConfig
  for (const used of [derived.dataDir, storage.tmp]) yield* usableFolder(used)
  yield* lockFolder(storage.tmp)
  yield* checkHead(manifest.head, options)
  yield* checkFolders(manifest)
  yield* checkDatabase
  yield* hasDigest(folder, manifest.database)
  yield* hasDigest(folder, manifest.list)
  yield* checkSizes(folder, manifest.list.path)
  const undo: Array<Effect.Effect<void>> = []
  const progress = yield* makeProgress("Restoring files", manifest.bytes)
  yield* Console.error(`Restoring ${manifest.files} files, ${inUnits(manifest.bytes)}`)
  yield* filesOf(folder, manifest.list.path).pipe(
    Stream.mapEffect((file) => Effect.andThen(placeFile(folder, file, undo), progress.file(file.size)), {
      concurrency: 4
    }),
    Stream.runDrain,
    Effect.andThen(loadDatabase(join(folder, manifest.database.path), manifest.database.size, manifest.head, options)),
    Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Effect.all(undo, { discard: true })))
  )
}, Effect.scoped)

/** Restores a dump of the database alone, such as one from before an upgrade, into an empty database. */
export const restoreDump = Effect.fn("restoreDump")(function* (
  path: string,
  size: number,
  head: DumpHead,
  options: RestoreOptions
) {
  const { storage } = yield* KinoraConfig
  yield* usableFolder(storage.tmp)
  yield* lockFolder(storage.tmp)
  yield* checkHead(head, options)
  yield* checkDatabase
  yield* loadDatabase(path, size, head, options)
}, Effect.scoped)
