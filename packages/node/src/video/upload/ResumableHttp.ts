import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { UploadConflict } from "@kinora/domain/errors/UploadErrors"
import { contentRangeMessage, parseContentRange } from "@kinora/domain/requests/ContentRange"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { bodyOf } from "../../platform/body/RequestBody.ts"

export const noStore = { "cache-control": "no-store" }

/** The request's Content-Length where it has one. */
export const lengthOf = (request: HttpServerRequest): number | undefined => {
  const header = request.headers["content-length"]
  return header !== undefined && /^\d{1,16}$/.test(header) ? Number(header) : undefined
}

const urlOf = (request: HttpServerRequest): URL => new URL(request.originalUrl, "http://localhost")

/** The upload that the query names; "" when it names none. */
export const uploadIdOf = (request: HttpServerRequest): string => urlOf(request).searchParams.get("upload_id") ?? ""

/** The chunk that a request brings. */
export const chunkOf = Effect.fnUntraced(function* (request: HttpServerRequest) {
  const header = request.headers["content-range"] ?? ""
  const range = parseContentRange(header)
  if (range === undefined) {
    if (header === "") return yield* InvalidParameters.one("content-range", contentRangeMessage, "header")
    return yield* new UploadConflict({ reason: `Content-Range: ${contentRangeMessage}` })
  }
  return { range, length: lengthOf(request), body: bodyOf(request) }
})

/** 201: the bytes go to the address the request came to, with the id of the upload. */
export const announced = (request: HttpServerRequest, host: string, id: string) => {
  const url = urlOf(request)
  url.searchParams.set("upload_id", id)
  const location = `//${host}${url.pathname}${url.search}`
  return HttpServerResponse.empty({ status: 201, headers: { ...noStore, location, "content-length": "0" } })
}

/** 308: more is to come. */
export const incomplete = ({ received }: { readonly received: number }) =>
  HttpServerResponse.empty({
    status: 308,
    headers: {
      ...noStore,
      "content-length": "0",
      ...(received === 0 ? {} : { range: `bytes=0-${received - 1}` })
    }
  })
