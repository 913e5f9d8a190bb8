import { BadRequest } from "@kinora/domain/errors/RequestErrors"
import { Stream } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

/** The bytes of a request's body. A body that breaks off, as when the client goes away, is a bad request. */
export const bodyOf = (request: HttpServerRequest): Stream.Stream<Uint8Array, BadRequest> =>
  Stream.mapError(request.stream, () => new BadRequest({ reason: "The body of the request ended early" }))
