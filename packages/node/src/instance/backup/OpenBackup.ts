import { Effect, Stream } from "effect"
import { open, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { type BackupFile, BackupProblem, contentOf, decodeFile, decodeManifest, manifestName } from "./BackupFormat.ts"
import { digestOf } from "./HashedCopy.ts"
import { makeProgress } from "./Progress.ts"

const damaged = (path: string, why: string) =>
  new BackupProblem({ message: `The backup is damaged: ${path} ${why}. Nothing was restored.` })

/** What a backup says it is. */
export const openBackup = Effect.fn("openBackup")(function* (folder: string) {
  const path = join(folder, manifestName)
  const text = yield* Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: () =>
      new BackupProblem({ message: `${folder} is no whole backup: ${manifestName} is missing or cannot be read.` })
  })
  return yield* decodeManifest(text).pipe(
    Effect.mapError(
      () =>
        new BackupProblem({ message: `${path} is not of a format that this version reads. A newer one may read it.` })
    )
  )
})

/** The files a backup lists, in its order. */
export const filesOf = (folder: string, list: string): Stream.Stream<BackupFile, BackupProblem> => {
  const path = join(folder, list)
  const lines = async function* () {
    const handle = await open(path)
    yield* handle.readLines()
  }
  return Stream.fromAsyncIterable(lines(), (cause) => damaged(path, `cannot be read (${String(cause)})`)).pipe(
    Stream.mapEffect((line) => Effect.mapError(decodeFile(line), () => damaged(path, "has a line that is no file"))),
    Stream.mapEffect((file) =>
      contentOf(file.path) === undefined
        ? Effect.fail(damaged(path, `names ${file.path}, which is no file of a backup`))
        : Effect.succeed(file)
    )
  )
}

const hasSize = Effect.fnUntraced(function* (folder: string, { path, size }: BackupFile) {
  const found = yield* Effect.tryPromise({
    try: () => stat(join(folder, path)),
    catch: () => damaged(path, "is missing")
  })
  if (found.size !== size) return yield* damaged(path, `has ${found.size} bytes instead of ${size}`)
})

/** Fails where a file has other bytes than when it was backed up. */
export const hasDigest = Effect.fnUntraced(function* (folder: string, file: BackupFile) {
  yield* hasSize(folder, file)
  const found = yield* Effect.tryPromise({
    try: (signal) => digestOf(join(folder, file.path), signal),
    catch: (cause) => damaged(file.path, `cannot be read (${String(cause)})`)
  })
  if (found.sha256 !== file.sha256) return yield* damaged(file.path, "has other bytes than when it was backed up")
})

/** Fails where a file is missing or has another size; quick. */
export const checkSizes = (folder: string, list: string) =>
  filesOf(folder, list).pipe(
    Stream.mapEffect((file) => hasSize(folder, file), { concurrency: 16 }),
    Stream.runDrain
  )

/** Reads every byte of a backup. */
export const checkDigests = Effect.fnUntraced(function* (folder: string, list: string, total: number) {
  const progress = yield* makeProgress("Checking", total)
  yield* filesOf(folder, list).pipe(
    Stream.mapEffect((file) => Effect.andThen(hasDigest(folder, file), progress.file(file.size)), { concurrency: 4 }),
    Stream.runDrain
  )
})
