import { Console, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { sharedFolder, identityName, type Manifest } from "../instance/backup/BackupFormat.ts"
import { folderPlace } from "../instance/backup/BackupPlace.ts"
import { backupsIn } from "../instance/backup/FolderWriter.ts"
import { inUnits } from "../instance/backup/Progress.ts"
import { openRepository } from "../instance/backup/Repository.ts"
import { makeS3Place } from "../instance/backup/S3Place.ts"
import { KinoraConfig } from "../platform/config/Config.ts"
import { readAddress } from "./BackupAddress.ts"
import { CliFailure, toCliFailure } from "./CliFailure.ts"
import { commandLogging, configLayer } from "./CommandLayers.ts"
import { backupsDirectory } from "./DatabaseLayer.ts"
import { basename } from "node:path"
import { existsSync } from "node:fs"
import { join } from "node:path"

const address = Argument.String("place").pipe(
  Argument.withDescription("Folder that holds backups, or s3://bucket/prefix; `backups` in the data folder by default"),
  Argument.optional
)

const lineOf = (name: string, { bytes, files, head, leftOut }: Manifest, isEncrypted: boolean) =>
  [
    name,
    head.createdAt,
    head.origin ?? "no address",
    `${files} files, ${inUnits(bytes)}`,
    ...(leftOut === undefined ? [] : [`without ${leftOut.files} files of object storage`]),
    ...(isEncrypted ? ["encrypted"] : [])
  ].join("\t")

/** The newest first. */
const byTime = (one: string, other: string): number =>
  (other.split("\t")[1] ?? "").localeCompare(one.split("\t")[1] ?? "")

/** All whole backups of format 2, and what is wrong with others. */
const shared = Effect.fnUntraced(function* (repository: Effect.Success<ReturnType<typeof openRepository>>) {
  const { unreadable, whole } = yield* repository.backups
  return {
    lines: whole.map(({ manifest, name }) => lineOf(name, manifest, repository.cipher.suffix !== "")),
    problems: unreadable.map(({ message }) => message)
  }
})

const listIn = Effect.fnUntraced(function* (text: string) {
  const found = yield* readAddress(text)
  if (found._tag === "S3") return yield* shared(yield* openRepository(yield* makeS3Place(found)))
  const plain = (yield* backupsIn(found.path)).map(({ folder, manifest }) => lineOf(basename(folder), manifest, false))
  const isShared = existsSync(join(found.path, identityName)) || existsSync(join(found.path, sharedFolder))
  if (!isShared) return { lines: plain, problems: [] }
  const { lines, problems } = yield* shared(yield* openRepository(folderPlace(found.path)))
  return { lines: [...lines, ...plain].toSorted(byTime), problems }
})

export const backupListCommand = Command.make("list", { address }, (input) =>
  Effect.gen(function* () {
    const place = Option.getOrElse(input.address, () => "") || backupsDirectory(yield* KinoraConfig)
    const { lines, problems } = yield* listIn(place)
    for (const line of lines) yield* Console.log(line)
    if (lines.length === 0 && problems.length === 0) yield* Console.error(`There is no whole backup in ${place}.`)
    if (problems.length > 0) return yield* new CliFailure({ message: problems.join("\n"), exitCode: 1 })
  }).pipe(Effect.scoped, Effect.provide([configLayer, commandLogging]), toCliFailure)
).pipe(
  Command.withDescription(
    "List whole backups: name, time, address of the instance, files. Backups that were cut off are none. Exits with 1 where " +
      "one cannot be read."
  ),
  Command.withShortDescription("List backups"),
  Command.withExamples([{ command: "kinora backup list s3://backups/kinora", description: "In object storage" }])
)
