import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Metric, Queue } from "effect"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { KinoraConfig } from "../../../src/platform/config/Config.ts"
import { telemetryLayer } from "../../../src/platform/observability/Telemetry.ts"

/** A collector that keeps what it is sent. */
const collector = Effect.gen(function* () {
  const received = yield* Queue.unbounded<{
    readonly url: string
    readonly token: string | undefined
    readonly body: string
  }>()
  yield* HttpServer.serveEffect(
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      yield* Queue.offer(received, {
        url: request.url,
        token: request.headers["x-token"],
        body: yield* request.text
      })
      return HttpServerResponse.empty({ status: 200 })
    })
  )
  return { received, base: yield* HttpServer.addressFormattedWith(Effect.succeed) }
})

const server = NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 })

it.layer(server, { excludeTestServices: true })("telemetry", (it) => {
  it.effect("exports logs, metrics and traces to the collector", () =>
    Effect.gen(function* () {
      const { base, received } = yield* collector
      const config = KinoraConfig.layerTest({
        open_telemetry: {
          service_name: "test-node",
          otlp: { endpoint: `${base}/`, headers: "x-token=abc", interval: "100 ms" },
          metrics: { enabled: true },
          tracing: { enabled: true }
        }
      })
      yield* Effect.logInfo("telemetry works").pipe(
        Effect.andThen(Metric.update(Metric.counter("test_counter"), 1)),
        Effect.withSpan("test-span"),
        Effect.provide(telemetryLayer.pipe(Layer.provide(config)))
      )
      const got = yield* Queue.takeAll(received)
      const bodies = (url: string) =>
        got
          .filter((request) => request.url === url)
          .map((request) => request.body)
          .join("")
      assert.include(bodies("/v1/logs"), "telemetry works")
      assert.include(bodies("/v1/metrics"), "test_counter")
      assert.include(bodies("/v1/traces"), "test-span")
      assert.include(bodies("/v1/traces"), "test-node")
      assert.isTrue(got.every((request) => request.token === "abc"))
    })
  )
})
