import { NodeStream } from "@effect/platform-node"
import { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { DateTime, Deferred, Effect, Exit, Stream } from "effect"
import { createWriteStream } from "node:fs"
import type { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { ZipFile } from "yazl"

/** A file of an archive. */
export interface ZipEntry<E> {
  /** With `/` between folders. We choose it. */
  readonly name: string
  /** Whether compression helps: it does for text, not for media. */
  readonly compress: boolean
  /** Bytes, if known in advance. */
  readonly size?: number
  readonly content: Stream.Stream<Uint8Array | string, E>
}

const fullCodes = new Set(["ENOSPC", "EDQUOT", "EFBIG"])

const readable = 0o100644

/**
 * Writes an archive to a new file, entry by entry: only a few chunks of one entry are in memory at a time. Entries and
 * archives larger than 4 GiB are written as zip64 (APPNOTE 6.3, 4.3.14).
 */
export const writeZip = Effect.fn("ArchiveZip.writeZip")(function* <E>(
  path: string,
  entries: Stream.Stream<ZipEntry<E>, E>
) {
  const mtime = DateTime.toDateUtc(yield* DateTime.now)
  const broken = yield* Deferred.make<never, InsufficientStorage>()
  const zip = new ZipFile()
  const file = createWriteStream(path, { mode: 0o600 })
  const { written } = yield* Effect.acquireRelease(
    Effect.sync(() => {
      // A failed entry ends the file, and with it everything that waits for the file.
      zip.on("error", (cause) => file.destroy(cause instanceof Error ? cause : new Error(String(cause))))
      const written = pipeline(zip.outputStream, file)
      written.catch((cause: NodeJS.ErrnoException) => {
        const full = fullCodes.has(cause.code ?? "")
        Deferred.doneUnsafe(broken, full ? Exit.fail(new InsufficientStorage()) : Exit.die(cause))
      })
      return { written }
    }),
    ({ written }) =>
      Effect.promise(() => {
        file.destroy()
        return written.catch(() => undefined)
      })
  )

  const add = ({ compress, content, name, size }: ZipEntry<E>) =>
    Effect.gen(function* () {
      const failed = yield* Deferred.make<never, E>()
      const source = Stream.tapCause(content, (cause) => Deferred.failCause(failed, cause))
      const ended = Effect.callback<void>((resume) => {
        const input: Readable = NodeStream.toReadableNever(source)
        input.once("end", () => resume(Effect.void))
        // Reported by `failed`.
        input.once("error", () => undefined)
        const options = { compress, mtime, mode: readable, ...(size === undefined ? {} : { size }) }
        zip.addReadStreamLazy(name, options, (give) => give(null, input))
        return Effect.sync(() => input.destroy())
      })
      yield* Effect.raceFirst(ended, Deferred.await(failed))
    })

  const whole = Stream.runForEach(entries, add).pipe(
    Effect.andThen(Effect.sync(() => zip.end())),
    Effect.andThen(Effect.promise(() => written))
  )
  yield* Effect.raceFirst(whole, Deferred.await(broken))
}, Effect.scoped)
