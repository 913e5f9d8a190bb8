import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { type IncomingMessage, request } from "node:http"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { freePort } from "../../support/KinoraProcess.ts"
import { layerTestServer } from "./TestServer.ts"

/** One request, tried again while nobody listens at the port. */
const get = (port: number, path: string): Promise<readonly [number | undefined, string]> =>
  new Promise((done, fail) => {
    request({ host: "127.0.0.1", port, path, agent: false }, (response) => {
      let text = ""
      response.on("data", (chunk: Buffer) => (text += chunk.toString()))
      response.on("end", () => done([response.statusCode, text]))
    })
      .on("error", (error: NodeJS.ErrnoException) =>
        error.code === "ECONNREFUSED" ? setImmediate(() => get(port, path).then(done, fail)) : fail(error)
      )
      .end()
  })

/** Resolves when the server of this process has read the head of a request for each path. */
const arrival = (paths: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const missing = new Set(paths)
    const look = (message: unknown) => {
      missing.delete((message as { readonly request: IncomingMessage }).request.url ?? "")
      if (missing.size === 0) resume(Effect.void)
    }
    subscribe("http.server.request.start", look)
    return Effect.sync(() => unsubscribe("http.server.request.start", look))
  })

it.live("answers what was asked between listening and the routes being ready", () =>
  Effect.gen(function* () {
    const port = yield* Effect.promise(freePort)
    const gate = yield* Deferred.make<void>()
    const routes = Layer.unwrap(
      Effect.as(Deferred.await(gate), HttpRouter.add("GET", "/late", HttpServerResponse.text("here")))
    )
    const arrived = yield* Effect.forkChild(arrival(["/late", "/api/v1/nothing"]), { startImmediately: true })
    const server = yield* Effect.forkScoped(Layer.build(layerTestServer({ port }, routes)))
    const answers = Promise.all([get(port, "/late"), get(port, "/api/v1/nothing")])
    yield* Fiber.join(arrived)
    yield* Deferred.succeed(gate, undefined)
    yield* Fiber.join(server)
    const [late, unknown] = yield* Effect.promise(() => answers)
    assert.deepStrictEqual(late, [200, "here"])
    assert.strictEqual(unknown[0], 404)
    const after = yield* Effect.promise(() => get(port, "/late"))
    assert.deepStrictEqual(after, [200, "here"])
  }).pipe(Effect.scoped, Effect.timeout("20 seconds"))
)
