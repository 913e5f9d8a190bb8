import { Data, Effect, Option } from "effect"
import { once } from "node:events"
import { open, rm } from "node:fs/promises"
import type { IncomingMessage } from "node:http"
import { pipeline } from "node:stream/promises"
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib"
import { brokenConnection } from "./Exchange.ts"
import { Malformed, NotWritten, TooLarge } from "./FetchError.ts"

/** Bytes a compressed answer may have beyond the cap for what is in it. */
const framing = 64 * 1024

class NotStored extends Data.TaggedError("NotStored")<{ readonly code: string }> {}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""

const failureOf = (error: unknown) => {
  if (error instanceof TooLarge || error instanceof Malformed) return error
  if (error instanceof NotStored) return new NotWritten({ code: error.code })
  const code = codeOf(error)
  // The errors of zlib, whose codes are its own, and of its Brotli, whose codes start like those of Node.js.
  return code.startsWith("Z_") || (code.startsWith("ERR_") && code !== "ERR_STREAM_PREMATURE_CLOSE")
    ? new Malformed({ what: "encoding", detail: code })
    : brokenConnection(error)
}

/** Passes bytes on until there are too many. */
const capped = (limit: number, maxBytes: number) =>
  async function* (source: AsyncIterable<Buffer>) {
    let bytes = 0
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > limit) throw new TooLarge({ maxBytes })
      yield chunk
    }
  }

/** "deflate" means the zlib format, and some send it without its frame (RFC 9110, 8.4.1.2). */
const inflate = async (answer: IncomingMessage, signal: AbortSignal) => {
  await once(answer, "readable", { signal })
  const first = answer.read(1) as Buffer | null
  if (first !== null) answer.unshift(first)
  return first === null || ((first[0] as number) & 0x0f) === 8 ? createInflate() : createInflateRaw()
}

/** The one encoding of an answer; encodings within encodings serve nobody but bombs. */
const encodingOf = (answer: IncomingMessage): string => {
  const codings = (answer.headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((it) => it.trim())
    .filter((it) => it !== "" && it !== "identity")
  if (codings.length > 1) throw new Malformed({ what: "encoding", detail: "encoded more than once" })
  return codings[0] ?? "identity"
}

const decoderOf = (encoding: string, answer: IncomingMessage, signal: AbortSignal) => {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip()
    case "br":
      return createBrotliDecompress()
    case "deflate":
      return inflate(answer, signal)
    default:
      throw new Malformed({ what: "encoding", detail: encoding.slice(0, 40) })
  }
}

const expectedBytes = (answer: IncomingMessage): number | undefined => {
  const header = answer.headers["content-length"]
  return header === undefined ? undefined : Number(header)
}

/** Streams an answer through its decoder into a sink. The cap is on the decoded bytes, and so on what memory sees. */
const stream = async (
  answer: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
  sink: (source: AsyncIterable<Buffer>) => Promise<void>
): Promise<void> => {
  const encoding = encodingOf(answer)
  if ((expectedBytes(answer) ?? 0) > maxBytes) throw new TooLarge({ maxBytes })
  if (encoding === "identity") return pipeline(answer, capped(maxBytes, maxBytes), sink, { signal })
  const decoder = await decoderOf(encoding, answer, signal)
  return pipeline(answer, capped(maxBytes + framing, maxBytes), decoder, capped(maxBytes, maxBytes), sink, { signal })
}

/** Reads the body of an answer into memory: at most `maxBytes` decoded bytes. */
export const readBody = (answer: IncomingMessage, maxBytes: number) =>
  Effect.tryPromise({
    try: async (signal) => {
      const chunks: Array<Buffer> = []
      await stream(answer, maxBytes, signal, async (source) => {
        for await (const chunk of source) chunks.push(chunk)
      })
      return Buffer.concat(chunks)
    },
    catch: failureOf
  })

/** Called with the bytes written so far, and the total where the answer says so. Must not throw. */
export type Progress = (written: number, expected: Option.Option<number>) => void

const storing = async <A>(write: Promise<A>): Promise<A> =>
  write.catch((error: unknown) => {
    throw new NotStored({ code: codeOf(error) })
  })

/**
 * Writes the body of an answer to a file that must not exist yet, for its owner to read; gives the number of bytes. A file
 * that was not finished is removed.
 */
export const writeBody = (answer: IncomingMessage, path: string, maxBytes: number, progress?: Progress) =>
  Effect.acquireUseRelease(
    Effect.tryPromise({ try: () => storing(open(path, "wx", 0o600)), catch: failureOf }),
    (file) =>
      Effect.tryPromise({
        try: async (signal) => {
          const expected = Option.fromUndefinedOr(encodingOf(answer) === "identity" ? expectedBytes(answer) : undefined)
          let written = 0
          await stream(answer, maxBytes, signal, async (source) => {
            for await (const chunk of source) {
              await storing(file.writeFile(chunk))
              written += chunk.length
              progress?.(written, expected)
            }
          })
          return written
        },
        catch: failureOf
      }),
    (file, exit) =>
      Effect.promise(async () => {
        await file.close()
        if (exit._tag === "Failure") await rm(path, { force: true })
      })
  )
