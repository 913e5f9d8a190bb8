import { StorageCheck } from "@kinora/storage/instance/inventory/StorageCheck"
import { Console, Effect, Layer, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { resolve } from "node:path"
import type { BackupSource } from "../instance/backup/BackupSource.ts"
import { inUnits } from "../instance/backup/Progress.ts"
import { makeDrillConfig, restoreForTrial } from "../instance/backup/RestoreDrill.ts"
import { verifyBackup } from "../instance/backup/VerifyBackup.ts"
import { KinoraConfig } from "../platform/config/Config.ts"
import { diskFolders } from "../platform/folders/ObjectFolders.ts"
import { openSource } from "./BackupAddress.ts"
import { toCliFailure } from "./CliFailure.ts"
import { commandLogging, configLayer } from "./CommandLayers.ts"
import { emptyDatabaseLayer } from "./DatabaseLayer.ts"

const address = Argument.String("backup").pipe(
  Argument.withDescription("Folder of a backup, or s3://bucket/prefix/name")
)

const drill = Flag.Boolean("drill").pipe(
  Flag.withDescription(
    "Restore it, too: into a folder and an embedded database that are made for that and removed afterwards. Needs room for all of it"
  ),
  Flag.withDefault(false)
)

const scratch = Flag.String("scratch").pipe(
  Flag.withMetavar("FOLDER"),
  Flag.withDescription("Where the folder of the drill is made, instead of `storage.tmp`"),
  Flag.optional
)

const runDrill = Effect.fnUntraced(function* (source: BackupSource, folder: string | undefined) {
  const { manifest } = source
  const config = yield* makeDrillConfig(folder, manifest.head.origin)
  yield* Console.error(`Restoring ${source.address} into ${config.derived.dataDir} for a trial`)
  const trial = StorageCheck.layer.pipe(
    Layer.provideMerge(diskFolders),
    Layer.provideMerge(emptyDatabaseLayer),
    Layer.provideMerge(Layer.succeed(KinoraConfig)(config)),
    Layer.fresh
  )
  const { files, rows, tables } = yield* Effect.provide(restoreForTrial(source), trial)
  yield* Console.log(
    tables === 0
      ? `The restore drill succeeded: ${files} files, and every file that rows name. Rows were not compared: the backup is of another version.`
      : `The restore drill succeeded: ${files} files, ${rows} rows in ${tables} tables, and every file that rows name.`
  )
}, Effect.scoped)

export const backupVerifyCommand = Command.make("verify", { address, drill, scratch }, (input) =>
  Effect.gen(function* () {
    const source = yield* openSource(input.address)
    const { bytes, files, head } = source.manifest
    yield* Console.error(`Backup of ${head.origin ?? "an instance without an address"} of ${head.createdAt}`)
    yield* verifyBackup(source)
    yield* Console.log(`The backup is whole: ${files} files, ${inUnits(bytes)}, all with the bytes they had.`)
    if (input.drill) yield* runDrill(source, Option.getOrUndefined(Option.map(input.scratch, (path) => resolve(path))))
  }).pipe(Effect.scoped, Effect.provide([configLayer, commandLogging]), toCliFailure)
).pipe(
  Command.withDescription(
    "Check a backup: read and decrypt every byte of it, and compare it with its checksum. With --drill restore it for a " +
      "trial and compare rows and files. The instance may run; nothing of it is touched. Exits with 1 where anything is wrong."
  ),
  Command.withShortDescription("Check a backup, or restore it for a trial"),
  Command.withExamples([
    { command: "kinora backup verify /mnt/backups/monday", description: "Read every byte" },
    {
      command: "kinora backup verify --drill s3://backups/kinora/2026-11-29T03-30-00Z",
      description: "Restore it for a trial"
    }
  ])
)
