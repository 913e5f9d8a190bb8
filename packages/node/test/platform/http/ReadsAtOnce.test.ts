import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, type Layer } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { ask, layerTestServer, until } from "./TestServer.ts"

/** Requests that wait until the gate opens, as for a database that has too much to do. */
const gate = { open: Deferred.makeUnsafe<void>(), waiting: 0 }

const routes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const slow = Effect.suspend(() => {
      gate.waiting++
      return Effect.as(Deferred.await(gate.open), HttpServerResponse.text("done"))
    })
    yield* router.add("GET", "/api/v1/slow", slow)
    yield* router.add("POST", "/api/v1/slow", slow)
    yield* router.add("GET", "/api/v1/quick", HttpServerResponse.text("quick"))
    yield* router.add("GET", "/api/v1/ping", HttpServerResponse.text("pong"))
    yield* router.add("GET", "/static/quick", HttpServerResponse.text("bytes"))
  })
)

const user = { headers: { authorization: "Bearer x" } }

layer(layerTestServer({ maxReadsAtOnce: 8 }, routes as Layer.Layer<never>))("reads at once", (it) => {
  const status = (path: string, options = {}) => Effect.map(ask(path, options), (answer) => answer.status)

  it.effect("are bounded, leave room for users, and are taken again as soon as some have ended", () =>
    Effect.gen(function* () {
      const visitors = yield* Effect.forEach(Array.from({ length: 6 }), () => Effect.forkChild(ask("/api/v1/slow")))
      yield* until(() => gate.waiting === 6)
      const refused = yield* ask("/api/v1/quick")
      assert.deepStrictEqual(
        [refused.status, refused.headers["retry-after"], refused.headers["content-type"]],
        [503, "1", "application/problem+json; charset=utf-8"]
      )
      // Users have what visitors leave, files and writes are not counted, and balancers see that the node lives.
      assert.strictEqual(yield* status("/api/v1/quick", user), 200)
      assert.strictEqual(yield* status("/static/quick"), 200)
      assert.strictEqual(yield* status("/api/v1/ping"), 200)
      const writing = yield* Effect.forkChild(ask("/api/v1/slow", { method: "POST" }))
      const users = yield* Effect.forEach(Array.from({ length: 2 }), () => Effect.forkChild(ask("/api/v1/slow", user)))
      yield* until(() => gate.waiting === 9)
      assert.strictEqual(yield* status("/api/v1/quick", user), 503)

      yield* Deferred.succeed(gate.open, undefined)
      for (const fiber of [...visitors, ...users, writing]) {
        assert.strictEqual((yield* Fiber.join(fiber)).status, 200)
      }
      assert.strictEqual(yield* status("/api/v1/quick"), 200)
    })
  )

  it.effect("are given back by who leaves before the answer", () =>
    Effect.gen(function* () {
      gate.open = Deferred.makeUnsafe<void>()
      gate.waiting = 0
      const leaving = yield* Effect.forEach(Array.from({ length: 8 }), () =>
        Effect.forkChild(ask("/api/v1/slow", user))
      )
      yield* until(() => gate.waiting === 8)
      assert.strictEqual(yield* status("/api/v1/quick", user), 503)
      for (const fiber of leaving) yield* Fiber.interrupt(fiber)
      while ((yield* status("/api/v1/quick")) !== 200);
    })
  )
})
