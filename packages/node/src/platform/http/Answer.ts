import { type Brand, Effect, type Schema } from "effect"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Api } from "@kinora/domain/api/Api"
import type { ProblemError } from "@kinora/domain/errors/ProblemError"
import { type Json, toJson } from "@kinora/domain/wire/Json"
import { failureResponse } from "./Problem.ts"

/** A response whose body is an `A`, as it stands on the wire. At run time it is a response like any other. */
export type Answer<A> = HttpServerResponse.HttpServerResponse & Brand.Brand<"Answer"> & { readonly "~of": A }

/** What a success schema has on the wire: those of `domain/wire` describe JSON as it is and transform nothing. */
type Wire<S> = S extends Schema.Top ? S["Type"] : never

type Groups = typeof Api extends HttpApi.HttpApi<string, infer G> ? G : never
type Endpoints<Identifier extends HttpApiGroup.Identifier<Groups>> = HttpApiGroup.WithIdentifier<
  Groups,
  Identifier
>["endpoints"]

type Handler<Endpoint> = Endpoint extends HttpApiEndpoint.Constraint
  ? (
      ...request: Parameters<HttpApiEndpoint.Handler<Endpoint, never, never>>
    ) => Effect.Effect<Answer<Wire<HttpApiEndpoint.Success<Endpoint>>>, never, unknown>
  : never

/**
 * The handlers of a group of the API, each with an answer that its endpoint's success schema allows. `handleAll` itself takes
 * any response: `handlers.handleAll({ … } satisfies Answers<"videos">)` has the compiler check what is in it.
 */
export type Answers<Identifier extends HttpApiGroup.Identifier<Groups>> = {
  readonly [Name in keyof Endpoints<Identifier>]: Handler<Endpoints<Identifier>[Name]>
}

const jsonContentType = "application/json; charset=utf-8"

interface Options {
  readonly status?: number
  readonly headers?: Record<string, string>
}

/**
 * A response with a wire-ready value as JSON. Values are strings, numbers, booleans, null, arrays and plain objects of
 * these: nothing is encoded here.
 */
export const json = <const A>(value: A, options?: Options): Answer<A> => jsonText(toJson(value), options)

/** A response whose JSON text was made elsewhere, such as by the database. */
export const jsonText = <A>(text: Json<A>, options?: Options): Answer<A> =>
  respond(HttpServerResponse.text(text, { ...options, contentType: jsonContentType }))

/** States what the body of a response is, for one that is neither JSON nor empty. */
export const respond = <A>(response: HttpServerResponse.HttpServerResponse): Answer<A> => response as Answer<A>

const noContent = HttpServerResponse.empty({ status: 204 })

const toResponse = (value: unknown): HttpServerResponse.HttpServerResponse =>
  value === undefined ? noContent : HttpServerResponse.isHttpServerResponse(value) ? value : json(value)

/** What the body is of the answer that a handler's value becomes. */
type Body<A> = A extends Answer<infer B> ? B : A

/**
 * Turns what a handler comes to into its answer, without running the endpoint's schemas: a plain wire value becomes
 * JSON (200), nothing becomes 204, a ready response stays, a `ProblemError` becomes its problem document. Anything else
 * that goes wrong is logged with the request id and answered by a bare 500.
 */
export const answer = <A, E extends ProblemError, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<Answer<Body<A>>, never, R> =>
  Effect.matchCauseEffect(effect, {
    onSuccess: (value) => Effect.succeed(respond<Body<A>>(toResponse(value))),
    onFailure: (cause) => Effect.map(failureResponse(cause), respond<Body<A>>)
  })
