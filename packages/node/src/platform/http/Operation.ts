import { Context } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpRouter from "effect/http/HttpRouter"

const key = Symbol.for("@kinora/node/http/Operation")

/** Marks a route as the one of an endpoint, so that failures are answered with the endpoint's schemas and documentation. */
export const withOperation = <R extends object>(route: R, endpoint: HttpApiEndpoint.Top): R => ({
  ...route,
  [key]: endpoint
})

/** Endpoint of the route a request runs on; undefined before routing and on routes outside the API. */
export const operationOf = (context: Context.Context<never>): HttpApiEndpoint.Top | undefined => {
  const routed = Context.getOrUndefined(context, HttpRouter.RouteContext)
  return (routed?.route as { [key]?: HttpApiEndpoint.Top } | undefined)?.[key]
}
