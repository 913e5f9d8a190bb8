import { invalidParamsOf } from "@kinora/domain/errors/InvalidParams"
import { InvalidParameters, NotAcceptable } from "@kinora/domain/errors/RequestErrors"
import { type FeedFormat, feedContentTypes, feedFormatReader } from "@kinora/domain/requests/FeedRequests"
import type { Reader } from "@kinora/domain/fields/Field"
import type { InvalidParam } from "@kinora/domain/wire/ProblemDocument"
import { Effect, type Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { type FieldRecord, normaliseFields } from "../../platform/http/FormFields.ts"
import { acceptedType } from "./FeedAccept.ts"

/** The query of a request, with brackets read as HttpApi's endpoints have them read. */
export const fieldsOf: Effect.Effect<FieldRecord, InvalidParameters, HttpServerRequest.ParsedSearchParams> =
  Effect.flatMap(HttpServerRequest.ParsedSearchParams, (query) => {
    const fields = normaliseFields(Object.entries(query), "query")
    return fields instanceof InvalidParameters ? Effect.fail(fields) : Effect.succeed(fields)
  })

/** Decodes the query; every parameter that is wrong is named. */
export const decodeQuery = <A>(
  decode: (input: unknown) => Effect.Effect<A, Schema.SchemaError>,
  fields: FieldRecord
): Effect.Effect<A, InvalidParameters> =>
  Effect.mapError(
    decode(fields),
    ({ issue }) => new InvalidParameters({ invalidParams: invalidParamsOf(issue, "query", fields) })
  )

/** Reads parameters that have to be there; all that are missing or wrong are named. */
export const required = <R extends Readonly<Record<string, Reader<unknown>>>>(
  readers: R,
  fields: FieldRecord
): Effect.Effect<{ readonly [K in keyof R]: R[K] extends Reader<infer A> ? A : never }, InvalidParameters> => {
  const values: Record<string, unknown> = {}
  const invalidParams: Record<string, InvalidParam> = {}
  for (const [name, reader] of Object.entries(readers)) {
    const given = Object.hasOwn(fields, name) ? fields[name] : undefined
    values[name] = given === undefined ? undefined : reader.parse(given)
    if (values[name] !== undefined) continue
    Object.assign(invalidParams, InvalidParameters.one(name, reader.message, "query", given).invalidParams)
  }
  return Object.keys(invalidParams).length === 0
    ? Effect.succeed(values as never)
    : Effect.fail(new InvalidParameters({ invalidParams }))
}

export interface Asked {
  readonly format: FeedFormat
  /** The one of its media types that the client likes best. */
  readonly contentType: string
}

/** The format a path ends in, else the one the query names, else RSS; and whether the client takes it. */
export const formatOf = Effect.fnUntraced(function* (fields: FieldRecord) {
  const { format: ending } = yield* HttpRouter.params
  const named = ending?.toLowerCase() ?? fields["format"] ?? "rss"
  const format = feedFormatReader.parse(named)
  if (format === undefined) {
    const place = ending === undefined ? "query" : "params"
    return yield* InvalidParameters.one("format", feedFormatReader.message, place, named)
  }
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const types = feedContentTypes[format]
  const contentType = acceptedType(types, headers["accept"])
  if (contentType === undefined) return yield* new NotAcceptable({ types })
  return { format, contentType } satisfies Asked
})
