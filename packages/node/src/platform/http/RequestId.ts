import { randomBytes } from "node:crypto"
import type { IncomingMessage } from "node:http"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

const prefix = randomBytes(6).toString("hex")
let counter = 0

const key = Symbol.for("@kinora/node/http/RequestId")

interface Tagged extends IncomingMessage {
  [key]?: string
}

/**
 * Id of a request: unique among the nodes of an instance, made when first asked for. It is the trace id of what is
 * logged for the request and is sent as `x-request-id`.
 */
export const requestIdOf = (source: IncomingMessage): string =>
  ((source as Tagged)[key] ??= `${prefix}-${(++counter).toString(36)}`)

/** The id for a request of the server; requests that did not come over node:http (tests) get a fresh one each time. */
export const requestId = (request: HttpServerRequest): string =>
  requestIdOf(request.source as unknown as IncomingMessage)
