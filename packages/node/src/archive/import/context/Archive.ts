import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Effect, type Scope, Stream } from "effect"
import { posix } from "node:path"
import type { Readable } from "node:stream"
import { openPromise } from "yauzl"
import { openUploadFile } from "../../../platform/body/UploadFile.ts"
import { ArchiveRefused } from "./ArchiveRefused.ts"
import { zipMembers } from "./ZipEntries.ts"

/**
 * An archive whose list of files was checked, so it can be read. Names in it are never used as paths: files are looked
 * up by name.
 */
export interface Archive {
  /** Size of a file in bytes. Undefined: no file has this name. */
  readonly size: (name: string) => number | undefined
  /** The bytes of a file, never more than its entry declares. Fails at once if that is more than `max`. */
  readonly read: (name: string, max: number) => Stream.Stream<Uint8Array, ArchiveRefused>
  /** Writes a file to a path that we choose. */
  readonly extract: (
    name: string,
    path: string,
    max: number
  ) => Effect.Effect<void, ArchiveRefused | InsufficientStorage>
}

const notZip = "The file is not a zip archive, or a damaged one"

const refused = (cause: unknown, message: string): ArchiveRefused =>
  cause instanceof ArchiveRefused ? cause : new ArchiveRefused({ message })

const damaged = (name: string) => `${name} cannot be read: the archive is damaged`

/** The folder of the JSON files. They refer to other files by relative paths from here. */
export const jsonFolder = "peertube"

/** The name in the archive of a file that a JSON file refers to. Undefined if the reference is not valid. */
export const referencedName = (reference: unknown): string | undefined => {
  if (typeof reference !== "string" || reference.length > 1000) return undefined
  const name = posix.normalize(posix.join(jsonFolder, reference))
  return name.startsWith("../") || name.startsWith("/") ? undefined : name
}

/** Opens an archive and refuses it if something is wrong with it (corpus: zip-torrent-import). */
export const openArchive = Effect.fn("Archive.open")(function* (
  path: string
): Effect.fn.Return<Archive, ArchiveRefused, Scope.Scope> {
  const zip = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () =>
        openPromise(path, { autoClose: false, lazyEntries: true, strictFileNames: true, validateEntrySizes: true }),
      catch: (cause) => refused(cause, notZip)
    }),
    (opened) => Effect.sync(() => opened.close())
  )
  const members = yield* Effect.tryPromise({
    try: () => zipMembers(zip),
    catch: (cause) => refused(cause, "The archive is damaged, or a file of it has a name that leads out of it")
  })

  const read = (name: string, max: number): Stream.Stream<Uint8Array, ArchiveRefused> => {
    const member = members.get(name)
    if (member === undefined) return Stream.fail(new ArchiveRefused({ message: `The archive has no ${name}` }))
    if (member.size > max) return Stream.fail(new ArchiveRefused({ message: `${name} is larger than it may be` }))
    const opened = Effect.tryPromise({
      try: () => zip.openReadStreamPromise(member.entry),
      catch: (cause) => refused(cause, damaged(name))
    })
    return Stream.unwrap(
      Effect.map(opened, (bytes: Readable) =>
        Stream.fromAsyncIterable(bytes as AsyncIterable<Uint8Array>, (cause) => refused(cause, damaged(name)))
      )
    )
  }

  const extract = Effect.fnUntraced(function* (name: string, target: string, max: number) {
    const file = yield* openUploadFile(target, 0)
    yield* Stream.runForEach(read(name, max), (chunk) => file.write(chunk))
    yield* file.flush
  }, Effect.scoped)

  return { size: (name) => members.get(name)?.size, read, extract }
})
