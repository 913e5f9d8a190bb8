import { Effect, Stream } from "effect"
import { copyFile, open, rename, rm } from "node:fs/promises"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { exists } from "../../platform/folders/Exists.ts"
import { unfinishedRestore } from "../../platform/folders/RestoreFinished.ts"
import { BackupProblem } from "./BackupFormat.ts"
import { digestOf } from "./HashedCopy.ts"
import { filesOf } from "./OpenBackup.ts"
import { isPlaced, removePlaced } from "./PlaceFile.ts"

const noteFile = Effect.map(KinoraConfig, ({ derived }) => unfinishedRestore(derived.dataDir))

const io = <A>(path: string, work: () => Promise<A>) =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => new BackupProblem({ message: `${path} cannot be written: ${String(cause)}` })
  })

/** SHA-256 of the note of a restore that ended before it was done, killed for example; undefined where there is none. */
export const unfinished = Effect.flatMap(noteFile, (note) =>
  Effect.promise(async () => ((await exists(note)) ? (await digestOf(note)).sha256 : undefined))
)

/**
 * Notes on disk which files a restore is going to write, before it writes the first of them. A restore that is killed
 * leaves the note: nodes do not start over it, and the next restore removes these files. None of them may exist yet.
 */
export const beginRestore = Effect.fn("beginRestore")(function* (list: string) {
  yield* filesOf(list).pipe(
    Stream.mapEffect(
      Effect.fnUntraced(function* (file) {
        if (!(yield* isPlaced(file))) return
        return yield* new BackupProblem({
          message: `The instance has ${file.path} of the backup already. A backup is restored into empty folders.`
        })
      }),
      { concurrency: 16 }
    ),
    Stream.runDrain
  )
  const note = yield* noteFile
  yield* io(note, async () => {
    const draft = `${note}.partial`
    await copyFile(list, draft)
    const handle = await open(draft, "r+")
    await handle.sync().finally(() => handle.close())
    await rename(draft, note)
  })
})

/** Everything is restored: nodes may start. */
export const endRestore = Effect.flatMap(noteFile, (note) => io(note, () => rm(note, { force: true })))

/** Removes every file that a restore has written which did not finish, and then its note. */
export const undoRestore = Effect.gen(function* () {
  const note = yield* noteFile
  yield* filesOf(note).pipe(Stream.mapEffect(removePlaced, { concurrency: 4 }), Stream.runDrain)
  yield* endRestore
}).pipe(Effect.withSpan("undoRestore"))
