import type { PgConnection } from "@effect/sql-pg/PgConnection"
import { Effect, Option, Result, Stream } from "effect"
import { createReadStream, createWriteStream } from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip, createGzip } from "node:zlib"
import { decodeHead, type DumpHead, DumpUnusable, signature } from "./DumpHead.ts"
import { dumpLines } from "./DumpLines.ts"

const unreadable = (path: string, cause: unknown) =>
  new DumpUnusable({ message: `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}` })

/**
 * Writes a dump, gzipped, that only its owner may read; answers the number of rows of each table. The connection must be in
 * a transaction that reads one snapshot.
 */
export const writeDump = Effect.fn("DumpFile.write")(function* (
  connection: PgConnection,
  head: DumpHead,
  path: string
) {
  const rows = new Map<string, number>()
  const lines = Stream.toAsyncIterable(Stream.map(dumpLines(connection, head, rows), (line) => `${line}\n`))
  yield* Effect.tryPromise({
    try: (signal) =>
      pipeline(Readable.from(lines), createGzip(), createWriteStream(path, { mode: 0o600, flush: true }), { signal }),
    catch: (cause) =>
      new DumpUnusable({
        message: `The database cannot be dumped to ${path}: ${cause instanceof Error ? cause.message : String(cause)}`
      })
  })
  return Object.fromEntries(rows)
})

/** The lines of a dump. `onBytes` is called with the number of bytes read from the file. Fails where the file is cut short. */
export const readDump = (
  path: string,
  onBytes: (bytes: number) => void = () => undefined
): Stream.Stream<string, DumpUnusable> =>
  Stream.suspend(() => {
    const file = createReadStream(path)
    file.on("data", (chunk) => onBytes(chunk.length))
    const zip = createGunzip()
    file.on("error", (cause) => zip.destroy(cause))
    return Stream.fromAsyncIterable<Uint8Array, DumpUnusable>(file.pipe(zip), (cause) => unreadable(path, cause)).pipe(
      Stream.decodeText(),
      Stream.splitLines,
      Stream.ensuring(Effect.sync(() => void file.destroy()))
    )
  })

/** What a file is a dump of. */
export const readHead = Effect.fn("DumpFile.readHead")(function* (path: string) {
  const [first, second] = yield* readDump(path).pipe(Stream.take(2), Stream.runCollect)
  const head = first === signature && second !== undefined ? Result.getSuccess(decodeHead(second)) : Option.none()
  if (Option.isNone(head)) {
    return yield* new DumpUnusable({
      message: `${path} is not a database dump of Kinora in a format that this version reads`
    })
  }
  return head.value
})
