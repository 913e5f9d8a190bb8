import { Effect, Stream } from "effect"
import { open, readFile } from "node:fs/promises"
import { join } from "node:path"
import { type BackupFile, BackupProblem, contentOf, decodeFile, decodeManifest, manifestName } from "./BackupFormat.ts"

export const damaged = (path: string, why: string) =>
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

/** The files of a list, in its order. */
export const filesOf = (path: string): Stream.Stream<BackupFile, BackupProblem> => {
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
