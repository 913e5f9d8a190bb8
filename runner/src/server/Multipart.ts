import { Effect, FileSystem, Stream } from "effect"
import * as HttpBody from "effect/http/HttpBody"
import { randomUUID } from "node:crypto"

/** A file of a result. `path` is absolute; `name` is the file name sent to the server, in ASCII without quotes. */
export interface FormFile {
  readonly field: string
  readonly path: string
  readonly name: string
  readonly type: string
}

const utf8 = new TextEncoder()

/**
 * A form (RFC 7578) whose files are read while they are sent, with a known length. The fields come first: servers check
 * the tokens before they store a file. `onBytes` is called with the size of every chunk sent.
 */
export const formBody = Effect.fn("formBody")(function* (
  fields: Readonly<Record<string, string>>,
  files: ReadonlyArray<FormFile>,
  onBytes: (bytes: number) => void
) {
  const fs = yield* FileSystem.FileSystem
  const boundary = `kinora-${randomUUID()}`
  const head = (words: string) => utf8.encode(`--${boundary}\r\nContent-Disposition: form-data; ${words}\r\n\r\n`)
  const end = utf8.encode("\r\n")
  const texts = Object.entries(fields).flatMap(([name, value]) => [head(`name="${name}"`), utf8.encode(value), end])
  const last = utf8.encode(`--${boundary}--\r\n`)

  const parts = yield* Effect.forEach(files, ({ field, name, path, type }) =>
    Effect.map(fs.stat(path), ({ size }) => ({
      start: head(`name="${field}"; filename="${name}"\r\nContent-Type: ${type}`),
      path,
      size: Number(size)
    }))
  )
  const length =
    [...texts, last].reduce((sum, piece) => sum + piece.length, 0) +
    parts.reduce((sum, { size, start }) => sum + start.length + size + end.length, 0)
  const pieces = [
    Stream.fromIterable(texts),
    ...parts.flatMap(({ path, size, start }) => [
      Stream.make(start),
      fs.stream(path, { bytesToRead: BigInt(size), chunkSize: 256 * 1024 }),
      Stream.make(end)
    ]),
    Stream.make(last)
  ]
  const body = Stream.fromIterable(pieces).pipe(
    Stream.flatMap((piece) => piece),
    Stream.tap((piece) => Effect.sync(() => onBytes(piece.length)))
  )
  return HttpBody.stream(body, `multipart/form-data; boundary=${boundary}`, length)
})
