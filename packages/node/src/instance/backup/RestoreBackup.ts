import {
  checkSchema,
  checkTarget,
  holdsInstance,
  restoreDatabase
} from "@kinora/storage/instance/backup/DatabaseRestore"
import { settleOrigin } from "@kinora/storage/instance/installation/Origin"
import type { DumpHead } from "@kinora/storage/platform/dump/DumpHead"
import { migrate } from "@kinora/storage/platform/migrations/Migrations"
import { Console, Effect, Schedule, Stream } from "effect"
import { statfs } from "node:fs/promises"
import { join } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { lockFolder } from "../../platform/folders/FolderLock.ts"
import { existingData } from "../../platform/folders/ExistingData.ts"
import { restoreFinished } from "../../platform/folders/RestoreFinished.ts"
import { makeTemporaryFolders } from "../../platform/folders/TemporaryFolders.ts"
import { usableFolder } from "../../platform/folders/UsableFolder.ts"
import { BackupProblem, type Manifest } from "./BackupFormat.ts"
import type { BackupSource } from "./BackupSource.ts"
import { filesOf } from "./OpenBackup.ts"
import { placeFile } from "./PlaceFile.ts"
import { inUnits, makeProgress } from "./Progress.ts"
import { beginRestore, endRestore, undoRestore, unfinished } from "./UnfinishedRestore.ts"

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
  const found = (yield* unfinished) === undefined ? yield* existingData(config) : undefined
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

/** Refuses a database that holds an instance, or tables that are newer than the backup. */
export const checkDatabase = Effect.fnUntraced(function* (head: DumpHead) {
  if (yield* holdsInstance()) {
    return yield* new BackupProblem({
      message: "The database holds an instance already. A backup is restored into an empty database."
    })
  }
  yield* checkTarget(head)
})

const loadDatabase = Effect.fnUntraced(function* (path: string, size: number, head: DumpHead) {
  const progress = yield* makeProgress("Loading the database", size)
  yield* Console.error("Loading the database")
  yield* restoreDatabase(path, head, progress.bytes).pipe(
    Effect.raceFirst(Effect.andThen(Effect.repeat(progress.say, Schedule.spaced("1 second")), Effect.never))
  )
})

/** Gives the instance the configured address, where that is wanted. */
const settle = Effect.fnUntraced(function* (head: DumpHead, { renameHost }: RestoreOptions) {
  const { derived } = yield* KinoraConfig
  if (!(yield* settleOrigin(derived.origin, renameHost))) return
  yield* Console.error(`The instance was ${head.origin} and is ${derived.origin} from now on.`)
})

/** Writes every file of the backup and then its rows; when anything fails no file stays. */
const write = Effect.fnUntraced(function* (source: BackupSource, list: string, database: string) {
  const { manifest } = source
  const { storage } = yield* KinoraConfig
  const work = yield* (yield* makeTemporaryFolders(join(storage.tmp, "restore"))).make("files")
  const progress = yield* makeProgress("Restoring files", manifest.bytes)
  yield* Console.error(`Restoring ${manifest.files} files, ${inUnits(manifest.bytes)}`)
  yield* filesOf(list).pipe(
    Stream.mapEffect((file) => Effect.andThen(placeFile(source, file, work), progress.file(file.size)), {
      concurrency: 4
    }),
    Stream.runDrain
  )
  yield* loadDatabase(database, manifest.database.size, manifest.head)
})

/** Whether a restore was killed after its rows were loaded, which come last: every file is there then. */
const isLoaded = Effect.fnUntraced(function* (manifest: Manifest) {
  const note = yield* unfinished
  if (note === undefined || !(yield* holdsInstance())) return false
  if (note === manifest.list.sha256) return true
  return yield* new BackupProblem({
    message: "The restore of another backup did not finish here, but has loaded its rows. Restore that one again."
  })
})

/**
 * Restores a backup into an instance that is none yet, and that no node runs over. When anything fails what was written is
 * removed again: by the next restore, where this one is killed.
 */
export const restoreBackup = Effect.fn("restoreBackup")(function* (source: BackupSource, options: RestoreOptions) {
  const { derived, storage } = yield* KinoraConfig
  const { manifest } = source
  for (const used of [derived.dataDir, storage.tmp]) yield* usableFolder(used)
  yield* lockFolder(storage.tmp)
  yield* checkHead(manifest.head, options)
  if (!(yield* isLoaded(manifest))) {
    if ((yield* unfinished) !== undefined) {
      yield* Console.error("A former restore did not finish: what it has written is removed.")
      yield* undoRestore
    }
    yield* checkFolders(manifest)
    yield* checkDatabase(manifest.head)
    const list = yield* source.list
    const database = yield* source.database
    yield* source.checkSizes(list)
    yield* beginRestore(list)
    yield* Effect.onError(write(source, list, database), () => Effect.ignore(undoRestore))
  }
  yield* migrate({ backupsDirectory: undefined })
  yield* settle(manifest.head, options)
  yield* endRestore
}, Effect.scoped)

/** Restores a dump of the database alone, such as one from before an upgrade, into an empty database. */
export const restoreDump = Effect.fn("restoreDump")(function* (
  path: string,
  size: number,
  head: DumpHead,
  options: RestoreOptions
) {
  const { derived, storage } = yield* KinoraConfig
  yield* usableFolder(storage.tmp)
  yield* lockFolder(storage.tmp)
  yield* restoreFinished(derived.dataDir)
  yield* checkHead(head, options)
  yield* checkDatabase(head)
  yield* loadDatabase(path, size, head)
  yield* settle(head, options)
}, Effect.scoped)
