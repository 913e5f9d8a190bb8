import { Data, Duration, Effect, FileSystem, Path, Schedule, type Scope } from "effect"
import { accessSync, constants } from "node:fs"
import process from "node:process"
import { RunnerConfig } from "./RunnerConfig.ts"

/** Another process holds a lock of the storage, or the lock cannot be created. */
export class StorageLocked extends Data.TaggedError("StorageLocked")<{
  readonly message: string
  /** Whether another process holds it. */
  readonly taken: boolean
}> {}

const lookAgain = Duration.millis(20)

/** SQLITE_BUSY, as `node:sqlite` reports it. The upper bytes give details. */
const isTaken = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "errcode" in error && (Number(error.errcode) & 0xff) === 5

/** Loads the module without Node.js 22's warning that it is experimental, which would appear in the log. */
const sqlite = () => {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return process.getBuiltinModule("node:sqlite")
  } finally {
    process.emitWarning = emitWarning
  }
}

/**
 * Holds a lock in the storage until the scope closes. Waits for it at most this long. The system releases it when the
 * process dies in any way, so leftover lock files mean nothing. Locks are empty SQLite databases, because Node.js has
 * no other file lock; nothing is written to them.
 */
export const storageLock = Effect.fn("storageLock")(function* (
  name: string,
  maxWait: Duration.Duration
): Effect.fn.Return<void, StorageLocked, Scope.Scope | RunnerConfig | FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const { join } = yield* Path.Path
  const { storage } = yield* RunnerConfig
  const path = join(storage.directory, name)
  const broken = ({ message }: { readonly message: string }) =>
    new StorageLocked({ taken: false, message: `${path} cannot be locked: ${message}` })
  yield* Effect.mapError(fs.makeDirectory(storage.directory, { recursive: true, mode: 0o700 }), broken)
  const once = Effect.try({
    try: () => {
      const { DatabaseSync } = sqlite()
      const database = new DatabaseSync(path, { timeout: 0 })
      try {
        database.exec("begin exclusive")
        // If the file is read-only, SQLite silently takes no lock.
        accessSync(path, constants.W_OK)
        return database
      } catch (error) {
        database.close()
        throw error
      }
    },
    catch: (error) =>
      isTaken(error)
        ? new StorageLocked({ taken: true, message: `${path} is locked by another process` })
        : broken(error instanceof Error ? error : { message: String(error) })
  })
  yield* Effect.acquireRelease(
    Effect.retry(once, {
      while: ({ taken }) => taken,
      schedule: Schedule.max([Schedule.spaced(lookAgain), Schedule.during(maxWait)])
    }),
    (database) => Effect.sync(() => database.close())
  )
})
