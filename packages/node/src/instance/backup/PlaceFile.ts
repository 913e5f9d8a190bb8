import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { copyFile as copyOnly, mkdir, rm } from "node:fs/promises"
import { constants } from "node:fs"
import { dirname, join } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { keyFile } from "../../platform/secrets/SecretKeys.ts"
import { type BackupFile, BackupProblem, contentOf } from "./BackupFormat.ts"
import { copyFile } from "./HashedCopy.ts"

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

const noting = (undo: Array<Effect.Effect<void>>, one: Effect.Effect<void>) => Effect.sync(() => void undo.push(one))

/**
 * Puts a file of a backup into its place, whole and with the bytes it had when it was backed up, or not at all. What takes
 * it away again is added to `undo`.
 */
export const placeFile = Effect.fn("placeFile")(function* (
  folder: string,
  file: BackupFile,
  undo: Array<Effect.Effect<void>>
) {
  const { storage } = yield* KinoraConfig
  const objects = yield* ObjectStore
  const content = contentOf(file.path)
  if (content === undefined) return yield* new BackupProblem({ message: `${file.path} is no file of a backup` })
  const draft = join(storage.tmp, `restore-${randomUUID()}`)
  return yield* Effect.gen(function* () {
    const digest = yield* Effect.tryPromise({
      try: (signal) =>
        copyFile(join(folder, file.path), draft, content._tag === "Object" ? publicMode : privateMode, signal),
      catch: (cause) => new BackupProblem({ message: `${file.path} cannot be copied: ${String(cause)}` })
    })
    if (digest.sha256 !== file.sha256) {
      return yield* new BackupProblem({
        message: `The backup is damaged: ${file.path} has other bytes than when it was backed up.`
      })
    }
    if (content._tag === "Object") {
      const put = Effect.andThen(objects.put(content.key, draft), noting(undo, objects.remove(content.key)))
      return yield* Effect.uninterruptible(put)
    }
    const target = content._tag === "Staged" ? join(storage.tmp_persistent, content.name) : yield* keyFile
    const remove = Effect.promise(() => rm(target, { force: true }))
    yield* Effect.uninterruptible(Effect.andThen(putAside(draft, target), noting(undo, remove)))
  }).pipe(Effect.ensuring(Effect.promise(() => rm(draft, { force: true }))))
})
