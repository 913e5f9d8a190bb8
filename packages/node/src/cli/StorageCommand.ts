import { StorageCheck } from "@kinora/storage/instance/inventory/StorageCheck"
import { Console, Duration, Effect, Layer, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { inUnits } from "../instance/backup/Progress.ts"
import { safeAge } from "../instance/upkeep/StorageSweep.ts"
import { objectFolders } from "../platform/folders/ObjectFolders.ts"
import { CliFailure, toCliFailure } from "./CliFailure.ts"
import { commandLogging, configLayer } from "./CommandLayers.ts"
import { databaseLayer } from "./DatabaseLayer.ts"
import { storageMoveCommand } from "./StorageMoveCommand.ts"
import { storageUsageCommand } from "./StorageUsageCommand.ts"

const batch = 10_000

const repair = Flag.Boolean("repair").pipe(
  Flag.withDescription(
    "Remove the files, and the rows of copies and archives that can be had again, and find again what object storage has. " +
      "Other missing files stay in the report"
  ),
  Flag.withDefault(false)
)

const hours = Flag.Int("older-than").pipe(
  Flag.withMetavar("HOURS"),
  Flag.withDescription("Leave files alone that are younger: they may be about to be used"),
  Flag.withDefault(Duration.toHours(safeAge))
)

const layer = StorageCheck.layer.pipe(
  Layer.provide(objectFolders.pipe(Layer.provideMerge(databaseLayer))),
  Layer.provide([configLayer, commandLogging])
)

const check = Effect.fnUntraced(function* (repairs: boolean, age: Duration.Duration) {
  const storage = yield* StorageCheck
  let lost = 0
  let forgotten = 0
  yield* storage.missing.pipe(
    Stream.tap(({ bucket, name }) => Console.log(`missing: ${bucket}/${name}`)),
    Stream.grouped(batch),
    Stream.runForEach((gone) =>
      Effect.gen(function* () {
        lost += gone.length
        if (repairs) forgotten += yield* storage.forget(gone)
      })
    )
  )
  let unused = 0
  let bytes = 0
  let removed = 0
  yield* storage.orphans(age).pipe(
    Stream.tap(({ key, size }) => Console.log(`unused: ${key.bucket}/${key.name} (${inUnits(size)})`)),
    Stream.grouped(batch),
    Stream.runForEach((files) =>
      Effect.gen(function* () {
        unused += files.length
        for (const { size } of files) bytes += size
        if (repairs) removed += yield* storage.remove(files.map(({ key }) => key))
      })
    )
  )
  yield* Console.log(
    `Missing files that rows name: ${lost}. Files that belong to no row: ${unused} (${inUnits(bytes)}).`
  )
  if (repairs) {
    yield* Console.log(`Files that the node removes within seconds: ${removed}. Rows mended or deleted: ${forgotten}.`)
  }
  const left = lost - forgotten
  if (left === 0) return
  return yield* new CliFailure({
    message: `Missing files that cannot be made again by themselves: ${left}. Bring them back from a backup, or run the transcoding of their videos again.`,
    exitCode: 1
  })
})

const checkCommand = Command.make("check", { repair, hours }, (input) =>
  check(input.repair, Duration.hours(input.hours)).pipe(Effect.provide(layer), toCliFailure)
).pipe(
  Command.withDescription(
    "List files that rows name and that are missing, and files that belong to no row. Changes nothing without --repair. " +
      "Can be run beside a running instance. Exits with 1 when a file is missing."
  ),
  Command.withShortDescription("Compare the files with the database")
)

export const storageCommand = Command.make("storage").pipe(
  Command.withDescription("Files of the instance"),
  Command.withSubcommands([checkCommand, storageUsageCommand, storageMoveCommand])
)
