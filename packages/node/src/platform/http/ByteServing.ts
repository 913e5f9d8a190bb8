import { randomBytes } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { PreconditionFailed, RangeNotSatisfiable } from "@kinora/domain/errors/RequestErrors"
import type { FileNotFound } from "@kinora/domain/errors/VideoErrors"
import { makeBufferPool } from "./BufferPool.ts"
import { type ByteRange, parseRange } from "./ByteRanges.ts"
import { matchHas, noneMatchHas } from "./Conditional.ts"
import { directBody, directResponse } from "./DirectBody.ts"
import { type FileHandle, makeFileHandles } from "./FileHandles.ts"
import { type Piece, pump } from "./FilePump.ts"
import type { Pace } from "./Pace.ts"

/** Values of `cache-control` for files. */
export const cachePolicies = {
  /** Public files whose name changes with their content. */
  immutable: "public, max-age=31536000, immutable",
  /** Public files that are replaced under the same name. */
  revalidate: "public, max-age=0, must-revalidate",
  /** Everything that not everybody may read. */
  private: "private, no-store"
} as const

/** A local file as it is to be served. The path is made by us: it is not checked against any folder here. */
export interface ServedFile {
  readonly path: string
  readonly contentType: string
  readonly cacheControl: string
  /** Strong entity tag with its quotes; absent: made of size and time of change. */
  readonly etag?: string
  readonly contentDisposition?: string
  readonly headers?: Record<string, string>
  /** Absent: as fast as the client takes it. */
  readonly pace?: Pace | undefined
}

/** Open files that are kept at most while nobody reads them. */
const maxOpenFiles = 256

/**
 * Serves local files with ranges and conditions (RFC 9110, sections 13 and 14), from open descriptors and pooled
 * buffers. `forget` belongs to every removal or replacement of a file.
 */
export class ByteServing extends Context.Service<
  ByteServing,
  {
    serve(
      request: HttpServerRequest,
      file: ServedFile
    ): Effect.Effect<HttpServerResponse.HttpServerResponse, FileNotFound | RangeNotSatisfiable | PreconditionFailed>
    readonly forget: (path: string) => void
    /** Every file is looked for anew: some of them were removed. */
    readonly forgetAll: () => void
    /** Descriptors and large buffers in use, for tests and metrics. */
    readonly usage: () => { readonly files: number; readonly buffers: number }
  }
>()("@kinora/node/http/ByteServing") {
  static readonly layer = Layer.effect(
    ByteServing,
    Effect.gen(function* () {
      const handles = makeFileHandles(maxOpenFiles)
      const pool = makeBufferPool()
      yield* Effect.addFinalizer(() => Effect.sync(handles.closeAll))

      const respond = (request: HttpServerRequest, file: ServedFile, handle: FileHandle) => {
        const decided = decide(request, file, handle)
        // The pump takes the handle again: an answer that is never sent must not keep it.
        handles.release(handle)
        if (decided._tag === "Refused") return Effect.fail(decided.error)
        if (decided._tag === "Empty") return Effect.succeed(decided.response)
        const body = directBody(decided.bytes, (response) =>
          pump(response, handle, decided.pieces, pool, handles, file.pace)
        )
        return Effect.succeed(directResponse(body, decided))
      }

      return ByteServing.of({
        serve: (request, file) =>
          Effect.flatMap(handles.acquire(file.path), (handle) => respond(request, file, handle)),
        forget: handles.forget,
        forgetAll: handles.forgetAll,
        usage: () => ({ files: handles.openCount(), buffers: pool.out() })
      })
    })
  )
}

type Decision =
  | { readonly _tag: "Refused"; readonly error: RangeNotSatisfiable | PreconditionFailed }
  | { readonly _tag: "Empty"; readonly response: HttpServerResponse.HttpServerResponse }
  | {
      readonly _tag: "Bytes"
      readonly status: number
      readonly headers: Record<string, string>
      readonly pieces: ReadonlyArray<Piece>
      readonly bytes: number
    }

const seconds = (millis: number): number => Math.floor(millis / 1000)

const parseDate = (header: string | undefined): number | undefined => {
  if (header === undefined) return undefined
  const millis = Date.parse(header)
  return Number.isNaN(millis) ? undefined : seconds(millis)
}

/** The order of RFC 9110, 13.2.2. */
const decide = (request: HttpServerRequest, file: ServedFile, handle: FileHandle): Decision => {
  const asked = request.headers
  const modified = seconds(handle.modifiedMillis)
  const etag = file.etag ?? handle.etag
  const headers: Record<string, string> = {
    ...file.headers,
    "cache-control": file.cacheControl,
    etag,
    "last-modified": handle.lastModified,
    "accept-ranges": "bytes"
  }
  const refused = (error: RangeNotSatisfiable | PreconditionFailed): Decision => ({ _tag: "Refused", error })

  const ifMatch = asked["if-match"]
  const unmodifiedSince = parseDate(asked["if-unmodified-since"])
  if (ifMatch !== undefined ? !matchHas(ifMatch, etag) : unmodifiedSince !== undefined && modified > unmodifiedSince) {
    return refused(new PreconditionFailed())
  }
  const ifNoneMatch = asked["if-none-match"]
  const modifiedSince = parseDate(asked["if-modified-since"])
  if (
    ifNoneMatch !== undefined
      ? noneMatchHas(ifNoneMatch, etag)
      : modifiedSince !== undefined && modified <= modifiedSince
  ) {
    return { _tag: "Empty", response: HttpServerResponse.empty({ status: 304, headers }) }
  }

  headers["content-type"] = file.contentType
  if (file.contentDisposition !== undefined) headers["content-disposition"] = file.contentDisposition
  const ifRange = asked["if-range"]
  const rangeHolds =
    request.method === "GET" &&
    (ifRange === undefined ||
      (ifRange.includes('"') ? matchHas(ifRange, etag) && ifRange !== "*" : parseDate(ifRange) === modified))
  const wish = parseRange(rangeHolds ? asked["range"] : undefined, handle.size)
  if (wish._tag === "Unsatisfiable") return refused(new RangeNotSatisfiable({ size: handle.size }))
  if (wish._tag === "Whole") {
    if (handle.size === 0) {
      return {
        _tag: "Empty",
        response: HttpServerResponse.empty({ status: 200, headers: { ...headers, "content-length": "0" } })
      }
    }
    return { _tag: "Bytes", status: 200, headers, pieces: [{ start: 0, end: handle.size - 1 }], bytes: handle.size }
  }
  if (wish.ranges.length === 1) {
    const range = wish.ranges[0] as ByteRange
    headers["content-range"] = `bytes ${range.start}-${range.end}/${handle.size}`
    return { _tag: "Bytes", status: 206, headers, pieces: [range], bytes: range.end - range.start + 1 }
  }
  return severalRanges(file, handle, headers, wish.ranges)
}

/** A `multipart/byteranges` answer (RFC 9110, 14.6). */
const severalRanges = (
  file: ServedFile,
  handle: FileHandle,
  headers: Record<string, string>,
  ranges: ReadonlyArray<ByteRange>
): Decision => {
  const boundary = randomBytes(16).toString("hex")
  const pieces: Array<Piece> = []
  let bytes = 0
  const text = (value: string) => {
    const piece = Buffer.from(value, "latin1")
    pieces.push({ bytes: piece })
    bytes += piece.length
  }
  ranges.forEach((range, i) => {
    text(
      `${i === 0 ? "" : "\r\n"}--${boundary}\r\nContent-Type: ${file.contentType}\r\n` +
        `Content-Range: bytes ${range.start}-${range.end}/${handle.size}\r\n\r\n`
    )
    pieces.push(range)
    bytes += range.end - range.start + 1
  })
  text(`\r\n--${boundary}--\r\n`)
  headers["content-type"] = `multipart/byteranges; boundary=${boundary}`
  return { _tag: "Bytes", status: 206, headers, pieces, bytes }
}
