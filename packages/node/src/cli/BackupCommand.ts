import { resolve, join } from "node:path"
import { Argument, Command, Flag } from "effect/cli"
import { Console, DateTime, Effect, Layer, Option } from "effect"
import { KinoraConfig } from "../platform/config/Config.ts"
import { objectFolders } from "../platform/folders/ObjectFolders.ts"
import { keepNewest } from "../instance/backup/EarlierBackups.ts"
import { writeBackup } from "../instance/backup/WriteBackup.ts"
import { toCliFailure } from "./CliFailure.ts"
import { commandLogging, configLayer } from "./CommandLayers.ts"
import { backupsDirectory, databaseLayer } from "./DatabaseLayer.ts"

const layer = objectFolders.pipe(Layer.provideMerge(databaseLayer), Layer.provideMerge([configLayer, commandLogging]))

const folder = Argument.String("folder").pipe(
  Argument.withDescription(
    "Folder that the backup is to be; there must be none of the name. By default a new one below `backups` in the data folder"
  ),
  Argument.optional
)

const withoutKey = Flag.Boolean("without-secret-key").pipe(
  Flag.withDescription("Leave the secret key out, to keep it in another place"),
  Flag.withDefault(false)
)

const incremental = Flag.Boolean("incremental").pipe(
  Flag.withDescription(
    "Give files that the newest backup in the same folder has a second name there, instead of copying them: quick, and each backup is whole by itself"
  ),
  Flag.withDefault(false)
)

const keep = Flag.Int("keep").pipe(
  Flag.withDescription(
    "Afterwards remove all whole backups of this instance in the same folder but so many of the newest"
  ),
  Flag.filter(
    (count) => count >= 1,
    () => "at least one backup has to be kept"
  ),
  Flag.optional
)

const keyNotes = {
  included: "It holds the secret key of the instance and data of its users: keep it where nobody else can read it.",
  configuration: "The secret key is in the configuration and not in the backup: keep it, too.",
  "left out": "The secret key is not in the backup: keep it in another place, or second factors are lost."
} as const

export const backupCommand = Command.make("backup", { folder, withoutKey, incremental, keep }, (input) =>
  Effect.gen(function* () {
    const config = yield* KinoraConfig
    const now = DateTime.formatIso(yield* DateTime.now)
      .replace(/\.\d+/, "")
      .replaceAll(":", "-")
    const target = Option.match(input.folder, {
      onNone: () => join(backupsDirectory(config), `backup-${now}`),
      onSome: (path) => resolve(path)
    })
    const manifest = yield* writeBackup({ target, withoutKey: input.withoutKey, incremental: input.incremental })
    yield* Console.log(`The backup is ${target}`)
    yield* Console.log(keyNotes[manifest.secretKey])
    if (Option.isSome(input.keep)) {
      const removed = yield* keepNewest(target, config.derived.origin, input.keep.value)
      if (removed.length > 0) yield* Console.log(`Removed: ${removed.join(", ")}`)
    }
    yield* Console.log("The configuration is not part of it. `kinora restore --dry-run` checks it.")
  }).pipe(Effect.provide(layer), toCliFailure)
).pipe(
  Command.withDescription(
    "Back up the database and all files into a folder, whether or not the instance runs. Both are of one moment: no " +
      "row names a file that the backup lacks. Files on the same disk are linked and take no room: copy the folder to another disk."
  ),
  Command.withShortDescription("Back up the database and all files"),
  Command.withExamples([
    { command: "kinora backup /mnt/backups/monday", description: "To another disk" },
    {
      command: "kinora backup --incremental --keep 7 /mnt/backups/$(date +%F)",
      description: "Every day: copies what is new, and keeps a week"
    }
  ])
)
