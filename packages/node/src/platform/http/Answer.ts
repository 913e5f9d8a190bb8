import { Effect } from "effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { ProblemError } from "@kinora/domain/errors/ProblemError"
import { failureResponse } from "./Problem.ts"

const jsonContentType = "application/json; charset=utf-8"

/**
 * A response with a wire-ready value as JSON. Values are strings, numbers, booleans, null, arrays and plain objects of
 * these: nothing is encoded here.
 */
export const json = (
  value: unknown,
  options?: { readonly status?: number; readonly headers?: Record<string, string> }
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(value), { ...options, contentType: jsonContentType })

/** A response whose JSON text was made elsewhere, such as by the database. */
export const jsonText = (
  text: string,
  options?: { readonly status?: number; readonly headers?: Record<string, string> }
): HttpServerResponse.HttpServerResponse => HttpServerResponse.text(text, { ...options, contentType: jsonContentType })

const noContent = HttpServerResponse.empty({ status: 204 })

const toResponse = (value: unknown): HttpServerResponse.HttpServerResponse =>
  value === undefined ? noContent : HttpServerResponse.isHttpServerResponse(value) ? value : json(value)

/**
 * Turns what a handler comes to into its answer, without running the endpoint's schemas: a plain wire value becomes
 * JSON (200), nothing becomes 204, a ready response stays, a `ProblemError` becomes its problem document. Anything else
 * that goes wrong is logged with the request id and answered by a bare 500.
 */
export const answer = <A, E extends ProblemError, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.matchCauseEffect(effect, {
    onSuccess: (value) => Effect.succeed(toResponse(value)),
    onFailure: failureResponse
  })
