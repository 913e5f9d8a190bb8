import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Effect, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { copyFile as copyOnly, mkdir, rm } from "node:fs/promises"
import { constants } from "node:fs"
import { dirname, join } from "node:path"
import { Readable } from "node:stream"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { exists } from "../../platform/folders/Exists.ts"
import { keyFile } from "../../platform/secrets/SecretKeys.ts"
import { type BackupFile, BackupProblem, contentOf } from "./BackupFormat.ts"
import type { BackupSource } from "./BackupSource.ts"
import { writeDigested } from "./HashedCopy.ts"

const publicMode = 0o644
const privateMode = 0o600

/** Copies a file to a name that must be new. */
const putAside = (draft: string, target: string) =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await copyOnly(draft, target, constants.COPYFILE_EXCL)
    },
    catch: (cause) => new BackupProblem({ message: `${target} cannot be written: ${String(cause)}` })
  })

/** Where a file of a backup belongs: an object, or a file of its own. */
const placeOf = Effect.fnUntraced(function* (file: BackupFile) {
  const { storage } = yield* KinoraConfig
  const content = contentOf(file.path)
  if (content === undefined) return yield* new BackupProblem({ message: `${file.path} is no file of a backup` })
  if (content._tag === "Object") return content
  const path = content._tag === "Staged" ? join(storage.tmp_persistent, content.name) : yield* keyFile
  return { _tag: "File", path } as const
})

/** Whether there is a file already where one of a backup belongs. */
export const isPlaced = Effect.fnUntraced(function* (file: BackupFile) {
  const objects = yield* ObjectStore
  const place = yield* placeOf(file)
  if (place._tag === "File") return yield* Effect.promise(() => exists(place.path))
  return yield* objects.stat(place.key).pipe(
    Effect.as(true),
    Effect.catch(() => Effect.succeed(false))
  )
})

/** Removes a file of a backup from its place. Idempotent. */
export const removePlaced = Effect.fnUntraced(function* (file: BackupFile) {
  const objects = yield* ObjectStore
  const place = yield* placeOf(file)
  yield* place._tag === "Object" ? objects.remove(place.key) : Effect.promise(() => rm(place.path, { force: true }))
})

/**
 * Puts a file of a backup into its place, whole and with the bytes it had when it was backed up, or not at all. `work` is a
 * folder for what is not whole yet.
 */
export const placeFile = Effect.fn("placeFile")(function* (source: BackupSource, file: BackupFile, work: string) {
  const objects = yield* ObjectStore
  const place = yield* placeOf(file)
  const draft = join(work, randomUUID())
  return yield* Effect.gen(function* () {
    const digest = yield* Effect.tryPromise({
      try: (signal) =>
        writeDigested(
          Readable.from(Stream.toAsyncIterable(source.read(file))),
          draft,
          place._tag === "Object" ? publicMode : privateMode,
          signal
        ),
      catch: (cause) =>
        cause instanceof BackupProblem
          ? cause
          : new BackupProblem({ message: `${file.path} cannot be copied: ${String(cause)}` })
    })
    if (digest.sha256 !== file.sha256) {
      return yield* new BackupProblem({
        message: `The backup is damaged: ${file.path} has other bytes than when it was backed up.`
      })
    }
    yield* place._tag === "Object" ? objects.put(place.key, draft) : putAside(draft, place.path)
  }).pipe(Effect.ensuring(Effect.promise(() => rm(draft, { force: true }))))
})
