import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { ByteSize, Duration, Effect, Layer } from "effect"
import { MaxBodySize } from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import { CurrentRedactedNames } from "effect/http/UrlParams"
import { withLeanContext } from "../context/LeanContext.ts"
import { addEdge } from "./Edge.ts"
import { HttpMetrics } from "./HttpMetrics.ts"
import type { HttpOptions } from "./HttpOptions.ts"
import { KnownMethods } from "./KnownMethods.ts"
import { makeNodeServer, type NodeServer } from "./NodeServer.ts"
import { DocumentationUrl } from "./Problem.ts"
import { secretNames } from "./RequestPath.ts"
import { Upgrades } from "./Upgrades.ts"
import { RateLimitStore } from "./RateLimitStore.ts"

/** Families whose unknown paths are problems, also where pages have a route for everything that is read. */
const problemFamilies = [
  "/api/*",
  "/download/*",
  "/static/*",
  "/object-storage-proxy/*",
  "/lazy-static/*",
  "/.well-known/*",
  "/feeds/*",
  "/tracker/*",
  "/inbox",
  "/accounts/:name/inbox",
  "/video-channels/:name/inbox"
] as const

/** Bytes of one message on a web socket of the router; a larger one ends the connection before it is kept. */
const largestFrame = 64 * 1024

const unknownRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { miss } = yield* KnownMethods
    // HEAD is not among them: the router tries it as GET when it has no route of its own.
    for (const path of problemFamilies) yield* router.add("GET", path, miss)
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) yield* router.add(method, "/*", miss)
  })
)

const routerConfig = {
  maxParamLength: 500,
  ignoreTrailingSlash: true,
  ignoreDuplicateSlashes: true,
  caseSensitive: false
} as const

const listen = ({ server, stop }: NodeServer, options: HttpOptions) =>
  Layer.effect(
    HttpServer.HttpServer,
    Effect.gen(function* () {
      const made = yield* NodeHttpServer.make(() => server, {
        port: options.port,
        host: options.hostname,
        gracefulShutdownTimeout: Duration.millis(options.shutdownMillis),
        websocket: { maxPayload: largestFrame }
      })
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          stop()
          server.closeAllConnections()
        })
      )
      return HttpServer.make({
        address: made.address,
        serve: (app, middleware) =>
          // Every request begins with the context of the server.
          withLeanContext(middleware === undefined ? made.serve(app) : made.serve(app, middleware))
      })
    })
  )

const serveWith = <A, E, R>(node: NodeServer, routes: Layer.Layer<A, E, R>, options: HttpOptions) => {
  const app = Layer.mergeAll(
    routes.pipe(Layer.provide(KnownMethods.noting)),
    unknownRoutes,
    HttpRouter.use(() => addEdge(options, () => !node.server.listening))
  )
  return HttpRouter.serve(app, {
    disableLogger: true,
    disableListenLog: true,
    routerConfig
  }).pipe(
    Layer.provide(KnownMethods.layer(routerConfig)),
    Layer.provideMerge(listen(node, options)),
    Layer.provide(NodeHttpServer.layerHttpServices),
    Layer.provide(Layer.succeed(Upgrades, node.upgrades)),
    // Spans have the whole address of a request.
    Layer.provide(Layer.succeed(CurrentRedactedNames)([secretNames])),
    Layer.provide(Layer.succeed(MaxBodySize, ByteSize.bytes(options.maxBodyBytes))),
    Layer.provide(Layer.succeed(DocumentationUrl, options.documentationUrl))
  )
}

/**
 * Serves the routes that a layer adds to the router, with everything of `Edge.ts` around them. Raw routes and the API
 * share the router. When the layer is released the server stops accepting, lets what is in flight finish for at most
 * `shutdownMillis`, then closes what is left.
 *
 * Fails with `ServeError` when the address cannot be listened on; a bad entry of `trustProxy` is a defect.
 */
export const layerServe = <A, E, R>(routes: Layer.Layer<A, E, R>, options: HttpOptions) =>
  Layer.unwrap(Effect.sync(() => serveWith(makeNodeServer(options), routes, options)))

/** The stores a server needs when no other is provided. */
export const layerMemoryServices = (options: HttpOptions) =>
  Layer.mergeAll(RateLimitStore.layerMemory(options.rateLimitClients), HttpMetrics.layer)
