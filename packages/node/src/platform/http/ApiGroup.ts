import { Context, Effect, Fiber, Layer } from "effect"
import type * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Api } from "@kinora/domain/api/Api"
import { withLeanContext } from "../context/LeanContext.ts"

type Groups = typeof Api extends HttpApi.HttpApi<string, infer G> ? G : never

/**
 * The handlers of a group of the API, as `HttpApiBuilder.group` makes them, but for one thing: that keeps the context a group is
 * built in and merges it into the context of each of its requests. Here `build` has all services in scope, and requests get
 * what is left of it by `withLeanContext`.
 */
export const apiGroup = <const Identifier extends HttpApiGroup.Identifier<Groups>, Return>(
  identifier: Identifier,
  build: (
    handlers: HttpApiBuilder.Handlers.FromGroup<HttpApiGroup.WithIdentifier<Groups, Identifier>>
  ) => HttpApiBuilder.Handlers.ValidateReturn<Return>
) =>
  Layer.fromBuildMemo((memoMap, scope) =>
    Effect.withFiber(({ context: all }) => {
      const group = HttpApiBuilder.group<"kinora", Groups, Identifier, Return>(Api, identifier, (handlers) => {
        // The group has kept its context by now, and gives its fiber the former one back when it is built.
        const fiber = Fiber.getCurrent()
        fiber?.setContext(Context.merge(all, fiber.context))
        return build(handlers)
      })
      return withLeanContext(Layer.buildWithMemoMap(group, memoMap, scope))
    })
  )
