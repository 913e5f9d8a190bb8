import { Effect } from "effect"
import type { Headers } from "effect/http/Headers"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { HeaderRecord } from "./AnswerHeaders.ts"
import { chooseCoding, compress, isCompressible } from "./Compression.ts"
import { noneMatchHas, weakEtag } from "./Conditional.ts"
import { isDirectBody } from "./DirectBody.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Whom the body goes to. */
export interface Recipient {
  readonly source: IncomingMessage
  readonly response: ServerResponse
  readonly compressFrom: number
}

/** The response with other headers: made by hand, since each setter of `HttpServerResponse` copies every header again. */
const rebuilt = (response: Response, status: number, headers: HeaderRecord, body: HttpBody.HttpBody): Response => {
  const made = Object.create(Object.getPrototypeOf(response) as object) as {
    -readonly [K in keyof Response]: Response[K]
  }
  made.status = status
  made.statusText = status === response.status ? response.statusText : undefined
  made.cookies = response.cookies
  made.body = body
  made.headers = headers as Headers
  return made
}

const sent = HttpServerResponse.empty({ status: 200 })

const isConditional = (source: IncomingMessage): boolean => source.method === "GET" || source.method === "HEAD"

/**
 * The last step of an answer: entity tag and 304 for JSON, compression, bodies that write themselves. `record` is
 * called once with the status and the bytes that were sent.
 */
export const finishBody = (
  to: Recipient,
  response: Response,
  headers: HeaderRecord,
  record: (status: number, bytes: number) => void
): Effect.Effect<Response> => {
  const body = response.body
  if (body._tag === "Raw" && isDirectBody(body.body)) {
    const direct = body.body
    to.response.writeHead(response.status, headers)
    if (to.source.method === "HEAD") {
      to.response.end()
      record(response.status, 0)
      return Effect.succeed(sent)
    }
    return Effect.onExit(Effect.as(Effect.interruptible(direct.write(to.response)), sent), (exit) =>
      Effect.sync(() => record(exit._tag === "Success" ? response.status : 499, direct.bytes))
    )
  }
  if (body._tag === "Stream" || body._tag === "Raw" || body._tag === "FormData") {
    to.response.once("close", () =>
      record(response.status, to.response.writableFinished ? (body.contentLength ?? 0) : 0)
    )
    return Effect.succeed(rebuilt(response, response.status, headers, body))
  }
  if (body._tag === "Empty") {
    record(response.status, 0)
    return Effect.succeed(rebuilt(response, response.status, headers, body))
  }
  const contentType = headers["content-type"] ?? ""
  if (response.status === 200 && isConditional(to.source)) {
    if (headers["etag"] === undefined && body.text !== undefined && contentType.includes("json")) {
      headers["etag"] = weakEtag(body.text, body.contentLength)
    }
    const noneMatch = to.source.headers["if-none-match"]
    if (noneMatch !== undefined && headers["etag"] !== undefined && noneMatchHas(noneMatch, headers["etag"])) {
      delete headers["content-length"]
      delete headers["content-type"]
      record(304, 0)
      return Effect.succeed(rebuilt(response, 304, headers, HttpBody.empty))
    }
  }
  if (
    body.contentLength >= to.compressFrom &&
    headers["content-encoding"] === undefined &&
    isCompressible(contentType)
  ) {
    headers["vary"] = headers["vary"] === undefined ? "Accept-Encoding" : `${headers["vary"]}, Accept-Encoding`
    const accepted = to.source.headers["accept-encoding"]
    const coding = chooseCoding(typeof accepted === "string" ? accepted : undefined)
    if (coding !== undefined && to.source.method !== "HEAD") {
      return Effect.map(compress(body.text ?? body.body, coding), (bytes) => {
        headers["content-encoding"] = coding
        headers["content-length"] = String(bytes.length)
        // A strong tag would promise the same bytes under every coding (RFC 9110, 8.8.3.3).
        if (headers["etag"]?.startsWith('"')) headers["etag"] = `W/${headers["etag"]}`
        record(response.status, bytes.length)
        return rebuilt(response, response.status, headers, HttpBody.uint8Array(bytes, contentType))
      })
    }
  }
  record(response.status, body.contentLength)
  if (to.source.method === "GET") {
    // As a string node sends head and body in one system call; as bytes it takes two buffers.
    to.response.writeHead(response.status, headers)
    to.response.end(body.text ?? body.body)
    return Effect.succeed(sent)
  }
  return Effect.succeed(rebuilt(response, response.status, headers, body))
}
