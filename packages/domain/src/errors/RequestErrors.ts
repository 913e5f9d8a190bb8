import { Schema } from "effect"
import type { InvalidParam } from "../wire/ProblemDocument.ts"
import { Problem, type ProblemError } from "./ProblemError.ts"

const InvalidParamFields = Schema.Record(
  Schema.String,
  Schema.declare<InvalidParam>((input): input is InvalidParam => typeof input === "object")
)

/** One or more fields of the request are refused; all of them are named in one answer. */
export class InvalidParameters
  extends Problem<InvalidParameters>()("InvalidParameters", {
    status: 400,
    detail: ({ invalidParams }) => `Incorrect request parameters: ${Object.keys(invalidParams).join(", ")}`,
    fields: { invalidParams: InvalidParamFields }
  })
  implements ProblemError
{
  /** The refusal of a single field. */
  static one(name: string, msg: string, location: InvalidParam["location"], value?: unknown): InvalidParameters {
    return new InvalidParameters({
      invalidParams: {
        [name]: { type: "field", msg, param: name, path: name, location, ...(value === undefined ? {} : { value }) }
      }
    })
  }
}

/** The body is not JSON although the request says so. */
export class MalformedJson extends Problem<MalformedJson>()("MalformedJson", {
  status: 400,
  code: "SyntaxError",
  detail: "The body is not valid JSON"
}) {}

/** The request cannot be read for another reason than one of its fields (broken multipart, contradictory headers). */
export class BadRequest extends Problem<BadRequest>()("BadRequest", {
  status: 400,
  detail: ({ reason }) => reason,
  fields: { reason: Schema.String }
}) {}

/** No route has this path. */
export class RouteNotFound extends Problem<RouteNotFound>()("RouteNotFound", { status: 404, detail: "Not found" }) {}

/** The path exists, under other methods (RFC 9110, 15.5.6). */
export class MethodNotAllowed extends Problem<MethodNotAllowed>()("MethodNotAllowed", {
  status: 405,
  detail: ({ allowed }) => `Method not allowed; allowed: ${allowed.join(", ")}`,
  headers: ({ allowed }) => ({ allow: allowed.join(", ") }),
  fields: { allowed: Schema.Array(Schema.String) }
}) {}

/** Too many requests in the period (specification "Limits"). */
export class RateLimited extends Problem<RateLimited>()("RateLimited", {
  status: 429,
  detail: "Too many requests, please try again later",
  headers: ({ retryAfterSeconds }) => ({ "retry-after": String(retryAfterSeconds) }),
  fields: { retryAfterSeconds: Schema.Int }
}) {
  /** The refusal of whoever has nothing left in a window that ends at `resetAt`; both in milliseconds. */
  static until(resetAt: number, now: number): RateLimited {
    return new RateLimited({ retryAfterSeconds: Math.max(1, Math.ceil((resetAt - now) / 1000)) })
  }
}

/** The body is larger than the route takes. */
export class PayloadTooLarge extends Problem<PayloadTooLarge>()("PayloadTooLarge", {
  status: 413,
  detail: ({ maxBytes }) => `The body is larger than ${maxBytes} bytes`,
  fields: { maxBytes: Schema.Number }
}) {}

/** The body has a media type the route does not read. */
export class UnsupportedContentType extends Problem<UnsupportedContentType>()("UnsupportedContentType", {
  status: 415,
  detail: ({ contentType }) => `This content type is not read here: ${contentType}`,
  fields: { contentType: Schema.String }
}) {}

/** None of the media types the client takes is one the answer has. */
export class NotAcceptable extends Problem<NotAcceptable>()("NotAcceptable", {
  status: 406,
  detail: ({ types }) => `The client should accept one of these: ${types.join(", ")}`,
  fields: { types: Schema.Array(Schema.String) }
}) {}

/** The request did not arrive in time. */
export class RequestTimeout extends Problem<RequestTimeout>()("RequestTimeout", {
  status: 408,
  detail: "The request did not arrive in time",
  headers: () => ({ connection: "close" })
}) {}

/** None of the asked ranges is within the file (RFC 9110, 15.5.17). */
export class RangeNotSatisfiable extends Problem<RangeNotSatisfiable>()("RangeNotSatisfiable", {
  status: 416,
  code: "RangeNotSatisfiableError",
  detail: "Range Not Satisfiable",
  headers: ({ size }) => ({ "content-range": `bytes */${size}` }),
  fields: { size: Schema.Number }
}) {}

/** A precondition of the request (If-Match, If-Unmodified-Since) does not hold. */
export class PreconditionFailed extends Problem<PreconditionFailed>()("PreconditionFailed", {
  status: 412,
  detail: "Precondition failed"
}) {}

/** The instance does not do what is asked. */
export class NotImplemented extends Problem<NotImplemented>()("NotImplemented", {
  status: 501,
  detail: ({ what }) => `Not implemented: ${what}`,
  fields: { what: Schema.String }
}) {}
