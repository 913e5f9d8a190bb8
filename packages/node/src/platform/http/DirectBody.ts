import type { Effect } from "effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { ServerResponse } from "node:http"

const TypeId = "~@kinora/node/http/DirectBody"

/**
 * A body that writes itself to the connection with its own buffers and backpressure. The head is written before;
 * `write` ends the response, and is interrupted when the client goes away.
 */
export interface DirectBody {
  readonly [TypeId]: true
  readonly bytes: number
  write(response: ServerResponse): Effect.Effect<void>
}

export const directBody = (bytes: number, write: DirectBody["write"]): DirectBody => ({ [TypeId]: true, bytes, write })

/** A body whose length is known only when it was written: `sent` says how much that is so far. */
export const growingBody = (sent: () => number, write: DirectBody["write"]): DirectBody => ({
  [TypeId]: true,
  get bytes() {
    return sent()
  },
  write
})

export const isDirectBody = (u: unknown): u is DirectBody => typeof u === "object" && u !== null && TypeId in u

/** A response with such a body. Only the server of `HttpServerLayer` can send it. */
export const directResponse = (
  body: DirectBody,
  options: { readonly status: number; readonly headers: Record<string, string> }
): HttpServerResponse.HttpServerResponse => HttpServerResponse.raw(body, { ...options, contentLength: body.bytes })
