import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Effect, type Scope, Stream } from "effect"
import { posix } from "node:path"
import type { Readable } from "node:stream"
import { openPromise } from "yauzl"
import { openUploadFile } from "../../../platform/body/UploadFile.ts"
import { ArchiveRefused } from "./ArchiveRefused.ts"
import { zipMembers } from "./ZipEntries.ts"

/** An archive that was looked at as a whole and may be read. Nothing of it is a path: files are found by their names in it. */
export interface Archive {
  /** Bytes of a file; undefined when there is none of the name. */
  readonly size: (name: string) => number | undefined
  /** The bytes of a file, no more than it is said to have; refused at once when these are more than `most`. */
  readonly read: (name: string, most: number) => Stream.Stream<Uint8Array, ArchiveRefused>
  /** Writes a file to a path of ours. */
  readonly extract: (
    name: string,
    path: string,
    most: number
  ) => Effect.Effect<void, ArchiveRefused | InsufficientStorage>
}

const notZip = "The file is not a zip archive, or a damaged one"

const refused = (cause: unknown, message: string): ArchiveRefused =>
  cause instanceof ArchiveRefused ? cause : new ArchiveRefused({ message })

const damaged = (name: string) => `${name} cannot be read: the archive is damaged`

/** Where the JSON files lie, which name other files by the way from there. */
export const jsonFolder = "peertube"

/** The name of a file as the JSON of the archive tells it; undefined for what is none. */
export const namedBeside = (told: unknown): string | undefined => {
  if (typeof told !== "string" || told.length > 1000) return undefined
  const name = posix.normalize(posix.join(jsonFolder, told))
  return name.startsWith("../") || name.startsWith("/") ? undefined : name
}

/** Opens an archive and refuses it when something of it is wrong (corpus: zip-torrent-import). */
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

  const read = (name: string, most: number): Stream.Stream<Uint8Array, ArchiveRefused> => {
    const member = members.get(name)
    if (member === undefined) return Stream.fail(new ArchiveRefused({ message: `The archive has no ${name}` }))
    if (member.size > most) return Stream.fail(new ArchiveRefused({ message: `${name} is larger than it may be` }))
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

  const extract = Effect.fnUntraced(function* (name: string, target: string, most: number) {
    const file = yield* openUploadFile(target, 0)
    yield* Stream.runForEach(read(name, most), (chunk) => file.write(chunk))
    yield* file.flush
  }, Effect.scoped)

  return { size: (name) => members.get(name)?.size, read, extract }
})
