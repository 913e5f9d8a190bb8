import { type Cause, Context, Effect, Exit, Schema, type SchemaIssue } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest, ParsedSearchParams } from "effect/http/HttpServerRequest"
import { invalidParamsOf } from "@kinora/domain/errors/InvalidParams"
import { InvalidParameters, MalformedJson } from "@kinora/domain/errors/RequestErrors"
import type { ProblemError } from "@kinora/domain/errors/ProblemError"
import type { InvalidParam, ParamLocation } from "@kinora/domain/wire/ProblemDocument"

type Decoder = (input: unknown) => Effect.Effect<unknown, Schema.SchemaError, unknown>

interface Decoders {
  readonly params: Decoder | undefined
  readonly headers: Decoder | undefined
  readonly query: Decoder | undefined
  readonly payload: ReadonlyMap<string, Decoder>
}

const all = { errors: "all" } as const

const decoder = (schema: Schema.Top | undefined): Decoder | undefined =>
  schema === undefined ? undefined : (Schema.decodeUnknownEffect(schema, all) as Decoder)

const compiled = new WeakMap<HttpApiEndpoint.Top, Decoders>()

const decodersOf = (endpoint: HttpApiEndpoint.Top): Decoders => {
  const known = compiled.get(endpoint)
  if (known !== undefined) return known
  const payload = new Map<string, Decoder>()
  for (const [contentType, { encoding, schemas }] of endpoint.payload) {
    if (encoding._tag !== "Json" && encoding._tag !== "FormUrlEncoded") continue
    const schema = Schema.Union(schemas as ReadonlyArray<Schema.Top>)
    payload.set(
      contentType,
      decoder(encoding._tag === "FormUrlEncoded" ? Schema.toCodecArrayFromSingle(schema) : schema) as Decoder
    )
  }
  const made: Decoders = {
    params: decoder(endpoint.params as Schema.Top | undefined),
    headers: decoder(endpoint.headers as Schema.Top | undefined),
    query:
      endpoint.query === undefined ? undefined : decoder(Schema.toCodecArrayFromSingle(endpoint.query as Schema.Top)),
    payload
  }
  compiled.set(endpoint, made)
  return made
}

const contentTypeOf = (header: string | undefined): string =>
  header === undefined ? "application/json" : (header.split(";", 1)[0] as string).trim().toLowerCase()

/** A form with too much in it dies as it is read (`ApiRoutes.ts`), with what is wrong. Other failures leave the body out. */
const refusedBody = (cause: Cause.Cause<unknown>): InvalidParameters | undefined =>
  cause.reasons
    .map((reason) => (reason._tag === "Die" ? reason.defect : undefined))
    .find((defect) => defect instanceof InvalidParameters)

const readPayload = (
  request: HttpServerRequest,
  decoders: Decoders
): Effect.Effect<readonly [Decoder, unknown] | undefined | MalformedJson | InvalidParameters> => {
  const contentType = contentTypeOf(request.headers["content-type"])
  const decode = decoders.payload.get(contentType)
  if (decode === undefined) return Effect.undefined
  return Effect.map(Effect.exit(request.text), (read) => {
    if (Exit.isFailure(read)) return refusedBody(read.cause)
    const text = read.value
    if (contentType !== "application/json") return [decode, Object.fromEntries(new URLSearchParams(text))] as const
    try {
      return [decode, text === "" ? {} : (JSON.parse(text) as unknown)] as const
    } catch {
      return new MalformedJson()
    }
  })
}

/**
 * The one refusal for a request that HttpApi stopped decoding at its first bad part: every part of it is decoded again,
 * each with all its issues, so that the client learns of everything at once.
 */
export const invalidFields = (endpoint: HttpApiEndpoint.Top, error: HttpApiSchemaError): Effect.Effect<ProblemError> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<never>()
    const request = Context.getUnsafe(context, HttpServerRequest)
    const decoders = decodersOf(endpoint)
    const invalid: Record<string, InvalidParam> = Object.create(null)
    /** A field that two parts have is reported once, for the first. */
    const collect = (issue: SchemaIssue.Issue, input: unknown, location: ParamLocation) => {
      const found = invalidParamsOf(issue, location, input)
      for (const name in found) invalid[name] ??= found[name]!
    }
    const check = (decode: Decoder | undefined, input: unknown, location: ParamLocation) =>
      decode === undefined
        ? Effect.void
        : Effect.map(Effect.exit(decode(input) as Effect.Effect<unknown, Schema.SchemaError>), (exit) => {
            if (Exit.isSuccess(exit)) return
            for (const reason of exit.cause.reasons) {
              if (reason._tag === "Fail") collect(reason.error.issue, input, location)
            }
          })
    yield* check(decoders.params, Context.getUnsafe(context, HttpRouter.RouteContext).params, "params")
    yield* check(decoders.headers, request.headers, "header")
    yield* check(decoders.query, Context.getUnsafe(context, ParsedSearchParams), "query")
    const payload = yield* readPayload(request, decoders)
    if (payload instanceof MalformedJson) return payload
    if (payload instanceof InvalidParameters) {
      for (const name in payload.invalidParams) invalid[name] ??= payload.invalidParams[name]!
    } else if (payload !== undefined) yield* check(payload[0], payload[1], "body")
    if (Object.keys(invalid).length === 0) collect(error.cause.issue, undefined, "body")
    return new InvalidParameters({ invalidParams: invalid })
  })
