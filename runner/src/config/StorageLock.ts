import { Data, Duration, Effect, FileSystem, Path, Schedule, type Scope } from "effect"
import { accessSync, constants } from "node:fs"
import process from "node:process"
import { RunnerConfig } from "./RunnerConfig.ts"

/** A lock of the storage is another's, or cannot be made. */
export class StorageLocked extends Data.TaggedError("StorageLocked")<{
  readonly message: string
  /** Whether somebody has it. */
  readonly taken: boolean
}> {}

const lookAgain = Duration.millis(20)

/** SQLITE_BUSY, as `node:sqlite` reports it; the bytes above the lowest give its kind. */
const isTaken = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "errcode" in error && (Number(error.errcode) & 0xff) === 5

/** The module, without the warning of Node.js 22 that it is experimental: it would stand among what is logged. */
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
 * Holds a lock in the storage until the scope ends, for which it is waited so long. The system lets go of it when the process
 * dies, however it dies: files of locks that are left mean nothing. They are empty databases of SQLite, because Node.js offers
 * no other lock of files; nothing is written to them.
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
        // SQLite takes no lock, and says nothing, where it may only read the file.
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
