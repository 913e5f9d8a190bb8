import { Cause, Context, Effect, Option } from "effect"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import * as HttpServerError from "effect/http/HttpServerError"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { MultipartError } from "effect/http/Multipart"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { MaxBodySize } from "effect/http/HttpIncomingMessage"
import { STATUS_CODES } from "node:http"
import { isProblemError, type ProblemError } from "@kinora/domain/errors/ProblemError"
import { BadRequest, PayloadTooLarge, RouteNotFound } from "@kinora/domain/errors/RequestErrors"
import { ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { S3Failure } from "@kinora/storage/platform/objects/s3/S3Failure"
import { invalidFields } from "./InvalidFields.ts"
import { operationOf } from "./Operation.ts"
import { requestId } from "./RequestId.ts"

/** Where our API reference is; `type` and `docs` of problem documents point below it. */
export const DocumentationUrl = Context.Reference<string>("@kinora/node/http/DocumentationUrl", {
  defaultValue: () => "/docs"
})

const problemContentType = "application/problem+json; charset=utf-8"

/**
 * A typed failure as the contract writes it (specification "Errors", RFC 9457): the order and the presence of members
 * are those of the recorded answers.
 */
const problemDocument = (
  error: ProblemError,
  options: { readonly documentation: string; readonly operation?: string | undefined; readonly instance?: string }
): Record<string, unknown> => ({
  ...(error.code === undefined
    ? { type: "about:blank", title: STATUS_CODES[error.status] ?? "Error" }
    : { type: `${options.documentation}#section/Errors/${error.code}` }),
  detail: error.detail,
  ...(error.invalidParams === undefined ? {} : { instance: options.instance }),
  status: error.status,
  ...(error.invalidParams === undefined ? {} : { "invalid-params": error.invalidParams }),
  ...(options.operation === undefined ? {} : { docs: `${options.documentation}#operation/${options.operation}` }),
  ...(error.code === undefined ? {} : { code: error.code }),
  error: error.detail
})

/** What fails now may be there, or be allowed, with the next request: no cache on the way keeps the answer. */
const neverKept = { "cache-control": "no-store" }

/** The response of a typed failure, for the request that runs in the given context. */
export const problemResponse = (
  error: ProblemError,
  context: Context.Context<never>
): HttpServerResponse.HttpServerResponse => {
  const request = Context.getOrUndefined(context, HttpServerRequest)
  const document = problemDocument(error, {
    documentation: Context.get(context, DocumentationUrl),
    operation: operationOf(context)?.identifier,
    instance: request?.url ?? ""
  })
  return HttpServerResponse.text(JSON.stringify(document), {
    status: error.status,
    contentType: problemContentType,
    headers: error.headers === undefined ? neverKept : { ...neverKept, ...error.headers }
  })
}

const internalError = JSON.stringify({ type: "about:blank", title: "Internal Server Error", status: 500 })

const bareInternalError = (): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(internalError, { status: 500, contentType: problemContentType, headers: neverKept })

const tooLarge = (context: Context.Context<never>): ProblemError =>
  new PayloadTooLarge({ maxBytes: Number(Context.get(context, MaxBodySize) ?? 0) })

/** Failures of the HTTP layer itself that are the client's doing, a connection it broke included. */
const clientFault = (error: unknown, context: Context.Context<never>): ProblemError | undefined => {
  if (isProblemError(error)) return error
  if (error instanceof MultipartError) {
    if (error.reason._tag === "InternalError") return undefined
    return error.reason._tag === "Parse" ? new BadRequest({ reason: "The form cannot be read" }) : tooLarge(context)
  }
  if (!HttpServerError.isHttpServerError(error)) return undefined
  const reason = error.reason
  if (reason._tag === "RouteNotFound") return new RouteNotFound()
  if (reason._tag !== "RequestParseError") return undefined
  return reason.reason === "BodyTooLarge" ? tooLarge(context) : new BadRequest({ reason: "The body cannot be read" })
}

/** Files that are elsewhere cannot be had: the next request may find them. */
const storageAway = new ServiceUnavailable({
  reason: "The storage of files does not answer at the moment",
  retryAfterSeconds: 30
})

/** What the server itself encodes wrongly is no fault of the client. */
const isRequestPart = (error: HttpApiSchemaError): boolean => error.kind !== "Body" && error.kind !== "ResponseHeaders"

/**
 * The response for whatever a request failed with. Typed problems are encoded; interruption goes on; anything else is
 * logged with the request id and answered by a bare 500.
 */
export const failureResponse = (cause: Cause.Cause<unknown>): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.withFiber((fiber) => {
    for (const reason of cause.reasons) {
      if (reason._tag === "Interrupt") continue
      const error = reason._tag === "Fail" ? reason.error : reason.defect
      if (HttpServerResponse.isHttpServerResponse(error)) return Effect.succeed(error)
      const endpoint = HttpApiSchemaError.is(error) ? operationOf(fiber.context) : undefined
      if (endpoint !== undefined && HttpApiSchemaError.is(error) && isRequestPart(error)) {
        return Effect.map(invalidFields(endpoint, error), (problem) => problemResponse(problem, fiber.context))
      }
      const problem = clientFault(error, fiber.context)
      if (problem !== undefined) return Effect.succeed(problemResponse(problem, fiber.context))
      if (error instanceof S3Failure) {
        return Effect.as(Effect.logError(error.message), problemResponse(storageAway, fiber.context))
      }
    }
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
    const request = Context.getOption(fiber.context, HttpServerRequest)
    return Effect.as(
      Effect.annotateLogs(
        Effect.logError("Request failed", cause),
        Option.match(request, {
          onNone: () => ({}),
          onSome: (request) => ({
            requestId: requestId(request),
            method: request.method,
            operation: operationOf(fiber.context)?.identifier
          })
        })
      ),
      bareInternalError()
    )
  })
