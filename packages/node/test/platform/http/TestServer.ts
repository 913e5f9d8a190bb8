import { Effect, Layer } from "effect"
import * as HttpServer from "effect/http/HttpServer"
import { connect } from "node:net"
import { request as nodeRequest, type IncomingHttpHeaders } from "node:http"
import { defaultHttpOptions } from "../../../src/platform/http/DefaultHttpOptions.ts"
import type { HttpOptions } from "../../../src/platform/http/HttpOptions.ts"
import { layerMemoryServices, layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { testRoutes } from "./TestApi.ts"

const free = { max: 1_000_000, windowMillis: 10_000 }

export const testOptions = (options?: Partial<HttpOptions>): HttpOptions => ({
  ...defaultHttpOptions,
  port: 0,
  documentationUrl: "https://kinora.test/docs",
  rateLimits: { api: free, client: free },
  ...options
})

/** The routes of `TestApi` (or others) behind the whole server, on a free port. */
export const layerTestServer = <E = never, R = never>(
  options?: Partial<HttpOptions>,
  routes: Layer.Layer<never, E, R> = testRoutes as unknown as Layer.Layer<never, E, R>
) => {
  const all = testOptions(options)
  return layerServe(routes, all).pipe(
    Layer.provide(layerMemoryServices(all))
  ) as unknown as Layer.Layer<HttpServer.HttpServer>
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look at members of any answer
  readonly json: any
}

export interface Ask {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
  readonly localAddress?: string
}

export const portOf = Effect.map(HttpServer.HttpServer, (server) => {
  const address = server.address
  if (!("port" in address)) throw new Error("the test server listens on a port")
  return Number(address.port)
})

/** One request with node's own client: nothing is followed, decoded or added. */
export const ask = (path: string, options: Ask = {}): Effect.Effect<Answer, Error, HttpServer.HttpServer> =>
  Effect.flatMap(portOf, (port) =>
    Effect.callback<Answer, Error>((resume) => {
      const req = nodeRequest(
        {
          host: "127.0.0.1",
          port,
          path,
          agent: false,
          method: options.method ?? "GET",
          headers: options.headers ?? {},
          ...(options.localAddress === undefined ? {} : { localAddress: options.localAddress })
        },
        (res) => {
          const chunks: Array<Buffer> = []
          res.on("data", (chunk: Buffer) => chunks.push(chunk))
          res.on("error", (error) => resume(Effect.fail(error)))
          res.on("end", () => {
            const bytes = Buffer.concat(chunks)
            const text = bytes.toString("utf8")
            const isJson =
              (res.headers["content-type"] ?? "").includes("json") && res.headers["content-encoding"] === undefined
            resume(
              Effect.succeed({
                status: res.statusCode ?? 0,
                headers: res.headers,
                bytes,
                text,
                json: isJson && text !== "" ? JSON.parse(text) : undefined
              })
            )
          })
        }
      )
      req.on("error", (error) => resume(Effect.fail(error)))
      req.end(options.body)
      return Effect.sync(() => req.destroy())
    })
  )

/** Sends exact bytes and gives what came back until the server closed the connection. */
export const exchange = (bytes: string): Effect.Effect<string, Error, HttpServer.HttpServer> =>
  Effect.flatMap(portOf, (port) =>
    Effect.callback<string, Error>((resume) => {
      const socket = connect(port, "127.0.0.1")
      let received = ""
      socket.setEncoding("latin1")
      socket.on("data", (chunk: string) => (received += chunk))
      socket.on("error", (error) => resume(Effect.fail(error)))
      socket.on("close", () => resume(Effect.succeed(received)))
      socket.write(bytes, "latin1")
      return Effect.sync(() => socket.destroy())
    })
  )

const poll = (condition: () => boolean, met: () => void) => {
  const look = setInterval(() => {
    if (!condition()) return
    clearInterval(look)
    met()
  }, 5)
  return () => clearInterval(look)
}

/** Waits for something that happens on the event loop, whatever the test's clock says. */
export const until = (condition: () => boolean): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const stop = poll(condition, () => resume(Effect.void))
    return Effect.sync(stop)
  })
