import type { SourceFile } from "@kinora/storage/instance/moving/SourceFiles"
import { Data, Duration, Effect, Schedule, Stream } from "effect"
import { HttpClient, type HttpClientError, HttpClientResponse } from "effect/http"
import { createHash } from "node:crypto"
import { open, stat } from "node:fs/promises"
import { join } from "node:path"
import { type Digest, copyFile, linkOrCopy } from "../backup/HashedCopy.ts"

/** A file of the old instance cannot be had. */
export class FileAbsent extends Data.TaggedError("FileAbsent")<{
  readonly reason: string
  /** Whether another try may find it: its server did not answer, or failed. */
  readonly mayRecover?: boolean
}> {}

/** Where the files of the old instance are. */
export interface FileSourceOptions {
  /** Its storage folder; undefined where all files are in an object store. */
  readonly storage: string | undefined
  /** Whether files on the same disk get a second name in place of a copy. */
  readonly link: boolean
  /** Whether what names a file that cannot be had is left out. Without it nothing is, and the import does not end. */
  readonly acceptMissing: boolean
}

/** A server that is busy for a minute is no reason to lose a file. */
const tries = 5
const pauses = Schedule.exponential("1 second", 3)
/** How long a server may say nothing. */
const silence = Duration.seconds(60)

const mode = 0o644

/** A file, and whether a second name of it would be ours to read and to protect. */
const found = (path: string) =>
  stat(path).then(
    (file) => (file.isFile() ? { path, size: file.size, isOurs: file.uid === process.getuid?.() } : undefined),
    () => undefined
  )

/** A file in the storage folder; undefined if it is in none of the folders. */
const locate = async (storage: string, { filename, folders }: SourceFile) => {
  for (const folder of folders) {
    const file = await found(join(storage, folder, filename))
    if (file !== undefined) return file
  }
  return undefined
}

/** A name that leads nowhere else. */
const isPlainName = (name: string): boolean => /^[^/\\\0]+$/.test(name) && name !== "." && name !== ".."

/** What a file is found by before anything is written; an address is only asked when the file is fetched. */
export const findFile = Effect.fnUntraced(function* ({ storage }: FileSourceOptions, file: SourceFile) {
  if (!isPlainName(file.filename)) return yield* new FileAbsent({ reason: "its name is no file name" })
  const local = storage === undefined ? undefined : yield* Effect.promise(() => locate(storage, file))
  if (local !== undefined) return { _tag: "Path", ...local } as const
  if (file.url !== null && /^https?:\/\//.test(file.url))
    return { _tag: "Address", url: file.url, size: file.size } as const
  return yield* new FileAbsent({ reason: file.url === null ? "there is no such file" : "its address is none of HTTP" })
})

/** What the server says of a file that it does not have. */
const isDefinite = (error: HttpClientError.HttpClientError): boolean => {
  const status = error.reason._tag === "StatusCodeError" ? error.reason.response.status : undefined
  return status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429
}

const silent = (url: string) => Effect.fail(new FileAbsent({ reason: `${url} does not answer`, mayRecover: true }))

/** Fetches a file to a path; its digest is made on the way. */
const fetchTo = Effect.fnUntraced(function* (url: string, path: string) {
  const client = yield* HttpClient.HttpClient
  const hash = createHash("sha256")
  let size = 0
  yield* Effect.acquireUseRelease(
    Effect.promise(() => open(path, "w", mode)),
    (handle) =>
      client.get(url).pipe(
        Effect.flatMap(HttpClientResponse.filterStatusOk),
        Effect.timeoutOrElse({ duration: silence, orElse: () => silent(url) }),
        Effect.flatMap(({ stream }) =>
          Stream.runForEach(
            stream.pipe(Stream.timeoutOrElse({ duration: silence, orElse: () => Stream.fromEffect(silent(url)) })),
            (chunk) =>
              Effect.promise(async () => {
                hash.update(chunk)
                size += chunk.length
                await handle.writeFile(chunk)
              })
          )
        ),
        Effect.andThen(Effect.promise(() => handle.sync()))
      ),
    (handle) => Effect.promise(() => handle.close())
  ).pipe(
    Effect.mapError((error) =>
      error._tag === "FileAbsent"
        ? error
        : new FileAbsent({ reason: `${url} cannot be fetched: ${error.message}`, mayRecover: !isDefinite(error) })
    )
  )
  const digest: Digest = { size, sha256: hash.digest("hex") }
  return digest
})

/** Brings a file to a path that must be new; its size and SHA-256 are those that were read. */
export const bringFile = Effect.fn("FileSource.bring")(function* (
  options: FileSourceOptions,
  file: SourceFile,
  path: string
) {
  const place = yield* findFile(options, file)
  const digest =
    place._tag === "Address"
      ? yield* Effect.retry(fetchTo(place.url, path), {
          while: ({ mayRecover }) => mayRecover === true,
          times: tries - 1,
          schedule: pauses
        })
      : yield* Effect.tryPromise({
          try: (signal) => (options.link && place.isOurs ? linkOrCopy : copyFile)(place.path, path, mode, signal),
          catch: (cause) => new FileAbsent({ reason: `it cannot be read: ${String(cause)}` })
        })
  if (file.size !== null && digest.size !== file.size) {
    return yield* new FileAbsent({ reason: `it has ${digest.size} bytes, and the database says ${file.size}` })
  }
  return digest
})
