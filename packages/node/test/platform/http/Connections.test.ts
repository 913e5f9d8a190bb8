import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Scope } from "effect"
import type * as HttpServer from "effect/http/HttpServer"
import { connect, type Socket } from "node:net"
import { requestsThatWaited } from "./TestApi.ts"
import { ask, exchange, layerTestServer, portOf } from "./TestServer.ts"

const head = (...lines: ReadonlyArray<string>) => lines.join("\r\n") + "\r\n\r\n"

layer(layerTestServer({ bodyTimeoutMillis: 300, headersTimeoutMillis: 400 }))("what is no proper request", (it) => {
  const smuggled: Readonly<Record<string, string>> = {
    "length and chunks":
      head("POST /api/v1/things HTTP/1.1", "Host: a", "Content-Length: 6", "Transfer-Encoding: chunked") + "0\r\n\r\nG",
    "two lengths": head("POST /api/v1/things HTTP/1.1", "Host: a", "Content-Length: 3", "Content-Length: 4") + "abcd",
    "lengths in a list": head("POST /api/v1/things HTTP/1.1", "Host: a", "Content-Length: 3, 4") + "abcd",
    "a folded header": head("GET /api/v1/config HTTP/1.1", "Host: a", "X-Folded: one", "  two"),
    "bare line feeds": "GET /api/v1/config HTTP/1.1\nHost: a\n\n",
    "space before the colon": head("GET /api/v1/config HTTP/1.1", "Host: a", "Content-Length : 3") + "abc",
    "chunked twice":
      head("POST /api/v1/things HTTP/1.1", "Host: a", "Transfer-Encoding: chunked, chunked") + "0\r\n\r\n",
    "an unknown coding": head("POST /api/v1/things HTTP/1.1", "Host: a", "Transfer-Encoding: xchunked") + "0\r\n\r\n",
    "a bad chunk size":
      head("PUT /api/v1/things/1 HTTP/1.1", "Host: a", "Transfer-Encoding: chunked") + "zz\r\nabc\r\n0\r\n\r\n",
    "two hosts": head("GET /api/v1/config HTTP/1.1", "Host: a", "Host: b"),
    "the same host twice": head("GET /api/v1/config HTTP/1.1", "Host: a", "host: a"),
    "no host": head("GET /api/v1/config HTTP/1.1"),
    "no HTTP": "HELO there\r\n\r\n"
  }
  for (const [name, bytes] of Object.entries(smuggled)) {
    it.effect(`is refused and the connection closed: ${name} (API-18)`, () =>
      Effect.gen(function* () {
        const follow = head("GET /api/v1/things/99 HTTP/1.1", "Host: a")
        const answer = yield* exchange(bytes + follow)
        assert.match(answer, /^HTTP\/1\.1 400 /)
        assert.notInclude(answer, '{"id":99}')
        assert.notInclude(answer, " 200 OK")
      })
    )
  }

  it.effect("ends headers that are too long or too slow", () =>
    Effect.gen(function* () {
      const long = yield* exchange(head("GET / HTTP/1.1", "Host: a", `X-Long: ${"x".repeat(20_000)}`))
      assert.match(long, /^HTTP\/1\.1 431 /)
      const slow = yield* exchange("GET / HTTP/1.1\r\nHost: a\r\n")
      assert.match(slow, /^HTTP\/1\.1 408 /)
    })
  )

  it.effect("ends bodies that never come", () =>
    Effect.gen(function* () {
      const answer = yield* exchange(
        head("PUT /api/v1/things/1 HTTP/1.1", "Host: a", "Content-Type: application/json", "Content-Length: 100") + "{"
      )
      assert.strictEqual(answer, "")
    })
  )
})

layer(
  layerTestServer({
    isUpload: (_method, path) => path.startsWith("/api/v1/things"),
    uploadIdleMillis: 1500,
    uploadMinBytesPerSecond: 100,
    bodyTimeoutMillis: 400
  })
)("streamed bodies", (it) => {
  it.effect("may take longer than others as long as they keep coming", () =>
    Effect.gen(function* () {
      const port = yield* portOf
      const answer = yield* Effect.callback<string, Error>((resume) => {
        const socket = connect(port, "127.0.0.1")
        let received = ""
        let sent = 0
        const body = JSON.stringify({ name: "x".repeat(4000) })
        const trickle = () => {
          if (sent >= body.length) return
          socket.write(body.slice(sent, sent + 200))
          sent += 200
          setTimeout(trickle, 60)
        }
        socket.on("data", (chunk) => (received += chunk.toString()))
        socket.on("error", (error) => resume(Effect.fail(error)))
        socket.on("close", () => resume(Effect.succeed(received)))
        socket.write(
          head(
            "PUT /api/v1/things/1 HTTP/1.1",
            "Host: a",
            "Connection: close",
            "Content-Type: application/json",
            `Content-Length: ${body.length}`
          )
        )
        trickle()
      })
      assert.match(answer, /^HTTP\/1\.1 200 /)
      const stalled = yield* exchange(
        head("PUT /api/v1/things/1 HTTP/1.1", "Host: a", "Content-Type: application/json", "Content-Length: 100") + "{"
      )
      assert.strictEqual(stalled, "")
    })
  )
})

describe("shutdown", () => {
  it.live("finishes what is in flight and takes nothing new", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(layerTestServer(), scope)
      const here = <A, E>(effect: Effect.Effect<A, E, HttpServer.HttpServer>) => Effect.provideContext(effect, context)
      const port = yield* here(portOf)
      const before = requestsThatWaited
      const slow = yield* Effect.forkChild(here(ask("/api/v1/wait/1500")))
      yield* Effect.yieldNow.pipe(Effect.repeat({ until: () => requestsThatWaited > before }))
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      const probe = Effect.callback<string>((resume) => {
        const socket = connect(port, "127.0.0.1")
        socket.on("connect", () => {
          socket.destroy()
          resume(Effect.succeed("connected"))
        })
        socket.on("error", () => resume(Effect.succeed("refused")))
      })
      yield* Effect.repeat(probe, { until: (state) => state === "refused" })
      const answer = yield* Fiber.join(slow)
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(answer.json, { waited: 1500 })
      assert.strictEqual(answer.headers["connection"], "close")
      yield* Fiber.join(closing)
    })
  )

  it.live("does not wait longer than it may", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(layerTestServer({ shutdownMillis: 200 }), scope)
      const before = requestsThatWaited
      const stuck = yield* Effect.forkChild(Effect.exit(Effect.provideContext(ask("/api/v1/wait/60000"), context)))
      yield* Effect.yieldNow.pipe(Effect.repeat({ until: () => requestsThatWaited > before }))
      // The answer would take a minute.
      yield* Scope.close(scope, Exit.void)
      const exit = yield* Fiber.join(stuck)
      assert.isTrue(Exit.isFailure(exit) || exit.value.status >= 500)
    })
  )
})

layer(layerTestServer({ rateLimits: { api: { max: 3, windowMillis: 60_000 } } }))(
  "requests that ask for an upgrade",
  (it) => {
    it.effect("are held to the same limits, and are upgraded nowhere unasked", () =>
      Effect.gen(function* () {
        const statuses: Array<number> = []
        for (const upgrade of ["h2c", "websocket", "anything", "websocket"]) {
          const answer = yield* ask("/api/v1/config", { headers: { connection: "upgrade", upgrade } })
          statuses.push(answer.status)
        }
        assert.deepStrictEqual(statuses, [200, 200, 200, 429])
      })
    )
  }
)

layer(layerTestServer({ maxConnectionsPerClient: 2, trustProxy: ["127.0.0.2"] }))("connections of one client", (it) => {
  const hold = (localAddress: string) =>
    Effect.flatMap(portOf, (port) =>
      Effect.callback<Socket>((resume) => {
        const socket = connect({ port, host: "127.0.0.1", localAddress }, () => resume(Effect.succeed(socket)))
        socket.on("error", () => {})
      })
    )

  it.effect("have a bound, which proxies do not have", () =>
    Effect.gen(function* () {
      const held = [yield* hold("127.0.0.1"), yield* hold("127.0.0.1")]
      const refused = yield* Effect.exit(ask("/api/v1/config"))
      assert.isTrue(Exit.isFailure(refused))
      const proxied = yield* Effect.forEach([1, 2, 3, 4], () => hold("127.0.0.2"))
      assert.strictEqual((yield* ask("/api/v1/config", { localAddress: "127.0.0.2" })).status, 200)
      for (const socket of [...held, ...proxied]) socket.destroy()
    })
  )
})
