import { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Data, Effect, type Scope } from "effect"
import { type FileHandle, open } from "node:fs/promises"

/** A file that grows in order. `position` counts the bytes written; those up to `durable` survive a power cut. */
export interface UploadFile {
  readonly position: number
  /** Writes at the end. When the disk is full the file keeps exactly what was written before. */
  readonly write: (chunk: Uint8Array) => Effect.Effect<void, InsufficientStorage>
  /** Makes everything written durable. */
  readonly flush: Effect.Effect<void, InsufficientStorage>
}

class DiskFailure extends Data.TaggedError("DiskFailure")<{ readonly cause: unknown }> {}

const fullCodes = new Set(["ENOSPC", "EDQUOT", "EFBIG"])

const isFull = (cause: unknown): boolean =>
  typeof cause === "object" && cause !== null && "code" in cause && fullCodes.has(String(cause.code))

/** Runs a disk operation to its end; a full disk is typed, whatever else goes wrong is a defect. */
export const onDisk = <A>(action: () => Promise<A>): Effect.Effect<A, InsufficientStorage> =>
  Effect.uninterruptible(
    Effect.tryPromise({
      try: action,
      catch: (cause) => (isFull(cause) ? new InsufficientStorage() : new DiskFailure({ cause }))
    }).pipe(Effect.catchTag("DiskFailure", (failure) => Effect.die(failure.cause)))
  )

const writeAll = async (handle: FileHandle, chunk: Uint8Array, at: number): Promise<void> => {
  let done = 0
  while (done < chunk.length) {
    const { bytesWritten } = await handle.write(chunk, done, chunk.length - done, at + done)
    done += bytesWritten
  }
}

/**
 * Opens a file to append at `offset`, cutting off what lies behind it: bytes that were never acknowledged. The file is
 * made when it is missing; `offset` must not lie beyond its end.
 */
export const openUploadFile = Effect.fnUntraced(function* (
  path: string,
  offset: number
): Effect.fn.Return<UploadFile, InsufficientStorage, Scope.Scope> {
  const handle = yield* Effect.acquireRelease(
    onDisk(async () => {
      const opened = await open(path, offset === 0 ? "w" : "r+", 0o600)
      // To open it for writing from its beginning has emptied it.
      if (offset === 0) return opened
      try {
        if ((await opened.stat()).size !== offset) await opened.truncate(offset)
        return opened
      } catch (cause) {
        await opened.close()
        throw cause
      }
    }),
    (opened) => Effect.promise(() => opened.close())
  )
  let position = offset
  return {
    get position() {
      return position
    },
    write: (chunk) =>
      onDisk(async () => {
        try {
          await writeAll(handle, chunk, position)
        } catch (cause) {
          await handle.truncate(position)
          throw cause
        }
        position += chunk.length
      }),
    flush: onDisk(() => handle.datasync())
  }
})
