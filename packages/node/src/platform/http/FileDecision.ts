import { randomBytes } from "node:crypto"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { PreconditionFailed, RangeNotSatisfiable } from "@kinora/domain/errors/RequestErrors"
import { type ByteRange, parseRange } from "./ByteRanges.ts"
import { matchHas, noneMatchHas } from "./Conditional.ts"
import type { Piece } from "./FilePump.ts"

/** What headers say of a file. */
export interface DescribedFile {
  readonly contentType: string
  readonly cacheControl: string
  /** Strong entity tag with its quotes; absent: that of the bytes. */
  readonly etag?: string
  readonly contentDisposition?: string
  readonly headers?: Record<string, string>
}

/** The bytes of a file, wherever they are. */
export interface FileFacts {
  readonly size: number
  readonly modifiedMillis: number
  /** Strong entity tag with its quotes. */
  readonly etag: string
  /** Time of change as HTTP writes it, to the second. */
  readonly lastModified: string
}

/** How a request for a file is answered. */
export type Decision =
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

/** Decides by the conditions and ranges of the request, in the order of RFC 9110, 13.2.2. */
export const decide = (request: HttpServerRequest, file: DescribedFile, facts: FileFacts): Decision => {
  const asked = request.headers
  const modified = seconds(facts.modifiedMillis)
  const etag = file.etag ?? facts.etag
  const headers: Record<string, string> = {
    ...file.headers,
    "cache-control": file.cacheControl,
    etag,
    "last-modified": facts.lastModified,
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
  const wish = parseRange(rangeHolds ? asked["range"] : undefined, facts.size)
  if (wish._tag === "Unsatisfiable") return refused(new RangeNotSatisfiable({ size: facts.size }))
  if (wish._tag === "Whole") {
    if (facts.size === 0) {
      return {
        _tag: "Empty",
        response: HttpServerResponse.empty({ status: 200, headers: { ...headers, "content-length": "0" } })
      }
    }
    return { _tag: "Bytes", status: 200, headers, pieces: [{ start: 0, end: facts.size - 1 }], bytes: facts.size }
  }
  if (wish.ranges.length === 1) {
    const range = wish.ranges[0] as ByteRange
    headers["content-range"] = `bytes ${range.start}-${range.end}/${facts.size}`
    return { _tag: "Bytes", status: 206, headers, pieces: [range], bytes: range.end - range.start + 1 }
  }
  return severalRanges(file, facts, headers, wish.ranges)
}

/** A `multipart/byteranges` answer (RFC 9110, 14.6). */
const severalRanges = (
  file: DescribedFile,
  facts: FileFacts,
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
        `Content-Range: bytes ${range.start}-${range.end}/${facts.size}\r\n\r\n`
    )
    pieces.push(range)
    bytes += range.end - range.start + 1
  })
  text(`\r\n--${boundary}--\r\n`)
  headers["content-type"] = `multipart/byteranges; boundary=${boundary}`
  return { _tag: "Bytes", status: 206, headers, pieces, bytes }
}
