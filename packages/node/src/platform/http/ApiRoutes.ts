import { Context, Effect, Layer } from "effect"
import type * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest, ParsedSearchParams } from "effect/http/HttpServerRequest"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { maxFieldValues, normaliseFields } from "./FormFields.ts"
import { withOperation } from "./Operation.ts"

const formType = "application/x-www-form-urlencoded"

/** Query values that the plain parser leaves for later: brackets in names, or too many values under one. */
const needsNormalising = (query: Readonly<Record<string, string | Array<string>>>): boolean => {
  for (const name in query) {
    if (name.includes("[") || (query[name] as string | Array<string>).length > maxFieldValues) return true
    if (name === "__proto__") return true
  }
  return false
}

/** The request with a JSON body in place of the form it came with. */
const withJsonBody = (request: HttpServerRequest, text: HttpServerRequest["text"]): HttpServerRequest =>
  Object.create(request, {
    headers: { value: { ...request.headers, "content-type": "application/json" } },
    text: { value: text }
  }) as HttpServerRequest

const formToJson = (text: string): Effect.Effect<string> => {
  const fields = normaliseFields(new URLSearchParams(text), "body")
  return fields instanceof InvalidParameters ? Effect.die(fields) : Effect.succeed(JSON.stringify(fields))
}

const emptyObject = Effect.succeed("{}")

/** A body that JSON endpoints read although it did not come as JSON: a form, or nothing at all. */
const adaptBody = (request: HttpServerRequest, endpoint: HttpApiEndpoint.Top): HttpServerRequest => {
  if (!endpoint.payload.has("application/json")) return request
  const contentType = request.headers["content-type"]
  if (contentType !== undefined && contentType.toLowerCase().startsWith(formType)) {
    return withJsonBody(request, Effect.flatMap(request.text, formToJson))
  }
  const length = request.headers["content-length"]
  const isEmpty = length === "0" || (length === undefined && request.headers["transfer-encoding"] === undefined)
  return isEmpty ? withJsonBody(request, emptyObject) : request
}

const wrap = (endpoint: HttpApiEndpoint.Top, handler: Effect.Effect<never>): Effect.Effect<never> => {
  const readsBody = endpoint.payload.size > 0
  if (endpoint.query === undefined && !readsBody) return handler
  return Effect.withFiber((fiber) => {
    const context = fiber.context
    const query = Context.getUnsafe(context, ParsedSearchParams)
    if (needsNormalising(query)) {
      const fields = normaliseFields(Object.entries(query), "query")
      if (fields instanceof InvalidParameters) return Effect.die(fields)
      // Fields of schemas read unknown input: nested values are theirs to judge.
      fiber.setContext(Context.add(context, ParsedSearchParams, fields as Record<string, string | Array<string>>))
    }
    if (readsBody) {
      const request = Context.getUnsafe(context, HttpServerRequest)
      const adapted = adaptBody(request, endpoint)
      if (adapted !== request) fiber.setContext(Context.add(fiber.context, HttpServerRequest, adapted))
    }
    return handler
  })
}

const endpointsByRoute = (
  groups: Readonly<Record<string, HttpApiGroup.Top>>
): ReadonlyMap<string, HttpApiEndpoint.Top> => {
  const byRoute = new Map<string, HttpApiEndpoint.Top>()
  for (const group of Object.values(groups)) {
    for (const endpoint of Object.values(group.endpoints) as ReadonlyArray<HttpApiEndpoint.Top>) {
      byRoute.set(`${endpoint.method} ${endpoint.path}`, endpoint)
    }
  }
  return byRoute
}

/** A router that knows the endpoint of every route the API adds to it. */
const apiRouter = (groups: Readonly<Record<string, HttpApiGroup.Top>>) =>
  Layer.effect(
    HttpRouter.HttpRouter,
    Effect.map(HttpRouter.HttpRouter, (router) => {
      const byRoute = endpointsByRoute(groups)
      const addAll = (routes: ReadonlyArray<HttpRouter.Route<never, never>>) =>
        router.addAll(
          routes.map((route) => {
            // HttpApiBuilder puts a pattern where a parameter ends within a segment.
            const endpoint = byRoute.get(`${route.method} ${route.path.replaceAll("(.*?)", "")}`)
            if (endpoint === undefined)
              throw new Error(`No endpoint of the API has the route ${route.method} ${route.path}`)
            return withOperation({ ...route, handler: wrap(endpoint, route.handler as Effect.Effect<never>) }, endpoint)
          })
        )
      return HttpRouter.HttpRouter.of({ ...router, addAll } as HttpRouter.HttpRouter)
    })
  )

/**
 * The routes of an HttpApi, with what the contract asks of every operation: all failing fields in one answer, arrays
 * and objects in queries and forms, forms where JSON is documented. Provide the groups' handlers to it as to
 * `HttpApiBuilder.layer`.
 */
export const layerApi = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  HttpApiBuilder.layer(api).pipe(
    Layer.provide(apiRouter(api.groups as unknown as Readonly<Record<string, HttpApiGroup.Top>>))
  )
