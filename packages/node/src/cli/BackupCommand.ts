import { basename, dirname, join } from "node:path"
import { existsSync } from "node:fs"
import { Argument, Command, Flag } from "effect/cli"
import { Console, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { KinoraConfig } from "../platform/config/Config.ts"
import { objectFolders } from "../platform/folders/ObjectFolders.ts"
import { backupPassphrase } from "../platform/config/BackupSettings.ts"
import { BackupProblem, identityName } from "../instance/backup/BackupFormat.ts"
import { type BackupPlace, folderPlace } from "../instance/backup/BackupPlace.ts"
import type { WriterOptions } from "../instance/backup/BackupWriter.ts"
import { makeFolderWriter } from "../instance/backup/FolderWriter.ts"
import { inUnits } from "../instance/backup/Progress.ts"
import { openRepository } from "../instance/backup/Repository.ts"
import { makeRepositoryWriter } from "../instance/backup/RepositoryWriter.ts"
import { makeS3Place } from "../instance/backup/S3Place.ts"
import { writeBackup } from "../instance/backup/WriteBackup.ts"
import { readAddress } from "./BackupAddress.ts"
import { backupListCommand } from "./BackupListCommand.ts"
import { backupVerifyCommand } from "./BackupVerifyCommand.ts"
import { toCliFailure } from "./CliFailure.ts"
import { commandLogging, configLayer } from "./CommandLayers.ts"
import { backupsDirectory, databaseLayer } from "./DatabaseLayer.ts"

const layer = objectFolders.pipe(Layer.provideMerge(databaseLayer), Layer.provideMerge([configLayer, commandLogging]))

const folder = Argument.String("folder").pipe(
  Argument.withDescription(
    "Folder that the backup is to be; there must be none of the name. Or s3://bucket/prefix, below which it is named by its time. By default a new folder below `backups` in the data folder"
  ),
  Argument.optional
)

const withoutKey = Flag.Boolean("without-secret-key").pipe(
  Flag.withDescription("Leave the secret key out, to keep it in another place"),
  Flag.withDefault(false)
)

const incremental = Flag.Boolean("incremental").pipe(
  Flag.withDescription(
    "Take files that the newest backup in the same place has from there, instead of reading and copying them: quick, and each backup can be restored by itself"
  ),
  Flag.withDefault(false)
)

const keep = Flag.Int("keep").pipe(
  Flag.withDescription(
    "Afterwards remove all whole backups of this instance in the same place but so many of the newest"
  ),
  Flag.filter(
    (count) => count >= 1,
    () => "at least one backup has to be kept"
  ),
  Flag.optional
)

const encrypt = Flag.Boolean("encrypt").pipe(
  Flag.withDescription(
    "Fail unless the backup is encrypted, which it is where backup.encryption.passphrase or .passphrase_file is set"
  ),
  Flag.withDefault(false)
)

const withoutObjects = Flag.Boolean("without-objects").pipe(
  Flag.withDescription("Leave out files that are in object storage: a restored instance goes on reading them there"),
  Flag.withDefault(false)
)

const keyNotes = {
  included: "It holds the secret key of the instance and data of its users: keep it where nobody else can read it.",
  configuration: "The secret key is in the configuration and not in the backup: keep it, too.",
  "left out": "The secret key is not in the backup: keep it in another place, or second factors are lost."
} as const

const encryptionNote =
  "It is encrypted. Keep the passphrase in another place than the instance: without it nobody can restore the backup."

/** A backup of format 2 in a place. */
const inRepository = Effect.fnUntraced(function* (place: BackupPlace, name: string, options: WriterOptions) {
  return yield* makeRepositoryWriter(yield* openRepository(place, true), name, options)
})

/** What writes the backup that was asked for. */
const writerOf = Effect.fnUntraced(function* (
  address: string | undefined,
  isRequired: boolean,
  options: WriterOptions
) {
  const config = yield* KinoraConfig
  const passphrase = yield* Effect.mapError(
    backupPassphrase(config.backup.encryption),
    (message) => new BackupProblem({ message })
  )
  const isEncrypted = Option.isSome(passphrase)
  if (isRequired && !isEncrypted) {
    return yield* new BackupProblem({
      message:
        "There is no passphrase to encrypt with: set backup.encryption.passphrase or backup.encryption.passphrase_file."
    })
  }
  const name = `${DateTime.formatIso(yield* DateTime.now)
    .replace(/\.\d+/, "")
    .replaceAll(":", "-")}`
  const target = yield* readAddress(address ?? join(backupsDirectory(config), `backup-${name}`))
  if (target._tag === "S3") return yield* inRepository(yield* makeS3Place(target), name, options)
  const folder = dirname(target.path)
  if (!isEncrypted && !existsSync(join(folder, identityName))) return yield* makeFolderWriter(target.path, options)
  if (existsSync(target.path)) {
    return yield* new BackupProblem({ message: `${target.path} exists already. Name a folder that does not.` })
  }
  return yield* inRepository(folderPlace(folder), basename(target.path), options)
})

export const backupCommand = Command.make(
  "backup",
  { folder, withoutKey, withoutObjects, incremental, keep, encrypt },
  (input) =>
    Effect.gen(function* () {
      const { encryption } = (yield* KinoraConfig).backup
      const options: WriterOptions = { incremental: input.incremental, keeps: Option.isSome(input.keep) }
      const { address, manifest, removed } = yield* writeBackup(
        writerOf(Option.getOrUndefined(input.folder), input.encrypt, options),
        { withoutKey: input.withoutKey, withoutObjects: input.withoutObjects, keep: Option.getOrUndefined(input.keep) }
      )
      yield* Console.log(`The backup is ${address}`)
      yield* Console.log(keyNotes[manifest.secretKey])
      if (Redacted.value(encryption.passphrase) !== "" || encryption.passphrase_file !== "") {
        yield* Console.log(encryptionNote)
      }
      if (manifest.leftOut !== undefined) {
        yield* Console.log(
          `${manifest.leftOut.files} files (${inUnits(manifest.leftOut.bytes)}) are in object storage and not in the backup: nothing replaces them if they are lost there.`
        )
      }
      if (removed.length > 0) yield* Console.log(`Removed: ${removed.join(", ")}`)
      yield* Console.log("The configuration is not part of it. `kinora backup verify` checks it.")
    }).pipe(Effect.scoped, Effect.provide(layer), toCliFailure)
).pipe(
  Command.withSubcommands([backupListCommand, backupVerifyCommand]),
  Command.withDescription(
    "Back up the database and all files into a folder or object storage, whether or not the instance runs. Both are of one " +
      "moment: no row names a file that the backup lacks. In a folder on the same disk files are linked and take no room: copy it to another disk."
  ),
  Command.withShortDescription("Back up the database and all files"),
  Command.withExamples([
    { command: "kinora backup /mnt/backups/monday", description: "To another disk" },
    {
      command: "kinora backup --incremental --keep 7 /mnt/backups/$(date +%F)",
      description: "Every day: copies what is new, and keeps a week"
    },
    {
      command: "kinora backup --encrypt --incremental --keep 30 s3://backups/kinora",
      description: "To object storage (backup.s3), encrypted (backup.encryption)"
    }
  ])
)
