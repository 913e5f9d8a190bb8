import { existsSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { readHead } from "@kinora/storage/platform/dump/DumpFile"
import type { DumpHead } from "@kinora/storage/platform/dump/DumpHead"
import { Argument, Command, Flag } from "effect/cli"
import { Console, Effect, Layer, Option } from "effect"
import type { Manifest } from "../instance/backup/BackupFormat.ts"
import { inUnits } from "../instance/backup/Progress.ts"
import {
  checkDatabase,
  checkFolders,
  checkHead,
  restoreBackup,
  restoreDump,
  type RestoreOptions
} from "../instance/backup/RestoreBackup.ts"
import { verifyBackup } from "../instance/backup/VerifyBackup.ts"
import { KinoraConfig } from "../platform/config/Config.ts"
import type { Configuration } from "../platform/config/Configuration.ts"
import { diskFolders } from "../platform/folders/ObjectFolders.ts"
import { openSource } from "./BackupAddress.ts"
import { toCliFailure } from "./CliFailure.ts"
import { commandLogging, configLayer } from "./CommandLayers.ts"
import { emptyDatabaseLayer } from "./DatabaseLayer.ts"

const path = Argument.String("backup").pipe(
  Argument.withDescription(
    "Folder of a backup, s3://bucket/prefix/name, or a dump of the database from before an upgrade (.sql.gz)"
  )
)

const dryRun = Flag.Boolean("dry-run").pipe(
  Flag.withDescription("Only check the backup, every byte of it, and whether it could be restored here"),
  Flag.withDefault(false)
)

const renameHost = Flag.Boolean("rename-host").pipe(
  Flag.withDescription("Restore a backup of another public address, and change every address to the configured one"),
  Flag.withDefault(false)
)

const withDatabase = Effect.provide(emptyDatabaseLayer)

const say = Effect.fnUntraced(function* (head: DumpHead, manifest: Manifest | undefined) {
  const { derived } = yield* KinoraConfig
  const database = Option.isSome(derived.databaseUrl) ? "the external database" : "the embedded database"
  yield* Console.log(
    `Backup of ${head.origin ?? "an instance without an address"} of ${head.createdAt}, by version ${head.program}`
  )
  if (manifest === undefined) yield* Console.log(`It goes into ${database}; no file is touched.`)
  else {
    yield* Console.log(
      `${manifest.files} files, ${inUnits(manifest.bytes)}: they go below ${derived.dataDir}, or where storage.* says, and its rows into ${database}.`
    )
    if (manifest.secretKey !== "included")
      yield* Console.log(
        "It has no secret key: put yours into the data folder, or the configuration, before the first start."
      )
    if (manifest.leftOut !== undefined) {
      yield* Console.log(
        `${manifest.leftOut.files} files (${inUnits(manifest.leftOut.bytes)}) are not in it: the instance reads them from object storage, as object_storage.* says.`
      )
    }
    if (manifest.missing > 0) yield* Console.log(`${manifest.missing} files were missing already when it was made.`)
  }
})

/** An embedded database that was never made is empty; a dry run makes none. */
const mayHoldRows = ({ derived }: Configuration): boolean =>
  Option.isSome(derived.databaseUrl) || existsSync(join(derived.dataDir, "postgres"))

const restoreWhole = Effect.fnUntraced(function* (address: string, onlyChecks: boolean, options: RestoreOptions) {
  const source = yield* openSource(address)
  const { manifest } = source
  yield* say(manifest.head, manifest)
  if (!onlyChecks) {
    yield* withDatabase(restoreBackup(source, options))
    return yield* Console.log("The instance is restored. Start it with `kinora serve`.")
  }
  yield* checkHead(manifest.head, options)
  yield* checkFolders(manifest)
  if (mayHoldRows(yield* KinoraConfig)) yield* withDatabase(checkDatabase(manifest.head))
  yield* verifyBackup(source)
  yield* Console.log("The backup is whole and can be restored here. Nothing was changed.")
}, Effect.scoped)

const restoreFile = Effect.fnUntraced(function* (file: string, onlyChecks: boolean, options: RestoreOptions) {
  const head = yield* readHead(file)
  yield* say(head, undefined)
  yield* checkHead(head, options)
  if (!onlyChecks) {
    yield* withDatabase(restoreDump(file, statSync(file).size, head, options))
    return yield* Console.log("The database is restored. Start the instance with `kinora serve`.")
  }
  if (mayHoldRows(yield* KinoraConfig)) yield* withDatabase(checkDatabase(head))
  yield* Console.log("The dump can be restored here. Nothing was changed.")
})

export const restoreCommand = Command.make("restore", { path, dryRun, renameHost }, (input) => {
  const source = resolve(input.path)
  const options = { renameHost: input.renameHost }
  const isFile = existsSync(source) && statSync(source).isFile()
  const restore = isFile ? restoreFile(source, input.dryRun, options) : restoreWhole(input.path, input.dryRun, options)
  return restore.pipe(Effect.provide(layer), toCliFailure)
}).pipe(
  Command.withDescription(
    "Restore a backup into an instance that is empty and does not run: its files, checked against their checksums, and " +
      "its rows. Takes backups of this version and of older ones. When anything fails, nothing stays."
  ),
  Command.withShortDescription("Restore a backup"),
  Command.withExamples([
    { command: "kinora restore --dry-run /mnt/backups/monday", description: "Check a backup" },
    { command: "kinora restore /mnt/backups/monday", description: "Restore it" }
  ])
)

const layer = diskFolders.pipe(Layer.provideMerge([configLayer, commandLogging]))
