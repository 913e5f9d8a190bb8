import { MethodNotAllowed, RouteNotFound } from "@kinora/domain/errors/RequestErrors"
import { Context, Effect, Layer } from "effect"
import * as FindMyWay from "effect/http/FindMyWay"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"

type Method = HttpRouter.Route<never, never>["method"]

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const satisfies ReadonlyArray<Method>

const isCatchAll = (path: string): boolean => path === "*" || path === "/*"

/**
 * Which methods a path has. It is asked when a request has found no route, and by nothing else: the routes are noted in a
 * second router as they are added to the first.
 */
export class KnownMethods extends Context.Service<
  KnownMethods,
  {
    readonly note: (method: Method, path: HttpRouter.PathInput) => void
    /** The answer to a request without a route: 405 with `Allow` when its path has routes for other methods, else 404. */
    readonly miss: Effect.Effect<never, never, HttpServerRequest>
  }
>()("@kinora/node/http/KnownMethods") {
  /** Paths are read as by a router of this configuration. */
  static readonly layer = (config: Partial<FindMyWay.RouterConfig>) =>
    Layer.sync(KnownMethods, () => {
      const routes = FindMyWay.make<true>(config)
      return KnownMethods.of({
        note: (method, path) => {
          if (isCatchAll(path)) return
          const paths = path.endsWith("/*") ? [path, path.slice(0, -2) as HttpRouter.PathInput] : [path]
          for (const one of paths) {
            if (method === "*") routes.all(one, true)
            else routes.on(method, one, true)
          }
        },
        miss: Effect.flatMap(HttpServerRequest, ({ url }) => {
          const allowed = methods.filter((method) => routes.find(method, url) !== undefined)
          if (allowed.length === 0) return Effect.die(new RouteNotFound())
          const head = allowed.includes("GET") ? ["HEAD"] : []
          return Effect.die(new MethodNotAllowed({ allowed: [...allowed, ...head] }))
        })
      })
    })

  /** The router, with whatever is added to it noted. */
  static readonly noting = Layer.effect(
    HttpRouter.HttpRouter,
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const known = yield* KnownMethods
      const add: HttpRouter.HttpRouter["add"] = (method, path, handler, options) => {
        known.note(method, path)
        return router.add(method, path, handler, options)
      }
      const addAll: HttpRouter.HttpRouter["addAll"] = (routes) => {
        for (const { method, path } of routes) known.note(method, path)
        return router.addAll(routes)
      }
      return HttpRouter.HttpRouter.of({ ...router, add, addAll })
    })
  )
}
