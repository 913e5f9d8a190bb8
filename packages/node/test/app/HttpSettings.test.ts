import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { httpSettings } from "../../src/app/HttpSettings.ts"
import { KinoraConfig } from "../../src/platform/config/Config.ts"
import { RateLimitExemption } from "../../src/people/session/RateLimitExemption.ts"
import { ask, exchange, layerTestServer } from "../platform/http/TestServer.ts"

const exemption = RateLimitExemption.of({ isExempt: () => Effect.succeed(false) })

const settings = Effect.map(KinoraConfig, (config) => httpSettings(config, exemption, undefined))

/** Lines that were logged, with what they are annotated with. */
const logged: Array<{ readonly message: string; readonly annotations: Record<string, unknown> }> = []

const collecting = Logger.layer([
  Logger.map(Logger.formatStructured, (line) => {
    logged.push({ message: JSON.stringify(line.message), annotations: line.annotations })
  })
])

const configured = Layer.unwrap(
  Effect.map(settings, ({ bodyTimeoutMillis, headersTimeoutMillis, maxBodyBytes, shutdownMillis, tagRequests }) =>
    layerTestServer({ bodyTimeoutMillis, headersTimeoutMillis, maxBodyBytes, shutdownMillis, tagRequests })
  )
).pipe(
  Layer.provide(
    KinoraConfig.layerTest({
      http: { body_limit: "2KB", request_timeout: "400 ms", shutdown_timeout: "7 seconds" },
      log: { tag_requests: true }
    })
  ),
  Layer.provideMerge(collecting)
)

const json = { "content-type": "application/json" }

layer(configured)("http.* of the configuration", (it) => {
  it.effect("bound the body of a request", () =>
    Effect.gen(function* () {
      const fits = yield* ask("/api/v1/things/1", { method: "PUT", headers: json, body: '{"name":"abcdef"}' })
      assert.strictEqual(fits.status, 200)
      const body = JSON.stringify({ name: "x".repeat(3000) })
      assert.strictEqual((yield* ask("/api/v1/things/1", { method: "PUT", headers: json, body })).status, 413)
      const chunked = { ...json, "transfer-encoding": "chunked" }
      const unannounced = yield* ask("/api/v1/things/1", { method: "PUT", headers: chunked, body })
      assert.strictEqual(unannounced.status, 413)
    })
  )

  it.effect("end a request that comes too slowly", () =>
    Effect.gen(function* () {
      const started = performance.now()
      const answer = yield* exchange(
        "PUT /api/v1/things/1 HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
      )
      assert.strictEqual(answer, "")
      assert.isBelow(performance.now() - started, 10_000)
    })
  )

  it.effect("reach the server, the time of a stop too", () =>
    Effect.gen(function* () {
      const { shutdownMillis } = yield* settings.pipe(
        Effect.provide(KinoraConfig.layerTest({ http: { shutdown_timeout: "7 seconds" } }))
      )
      assert.strictEqual(shutdownMillis, 7000)
    })
  )

  it.effect("and log.tag_requests puts the id of a request on its lines", () =>
    Effect.gen(function* () {
      const answer = yield* ask("/api/v1/fail/defect")
      assert.strictEqual(answer.status, 500)
      const line = logged.find(({ message }) => message.includes("Request failed"))
      assert.strictEqual(line?.annotations["requestId"], answer.headers["x-request-id"])
    })
  )
})
