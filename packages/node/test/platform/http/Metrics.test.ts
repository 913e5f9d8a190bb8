import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type * as HttpServer from "effect/http/HttpServer"
import { get } from "node:http"
import { createServer } from "node:net"
import type { AccessEntry } from "../../../src/platform/http/HttpOptions.ts"
import { layerMetricsServer } from "../../../src/platform/http/MetricsServer.ts"
import { HttpMetrics } from "../../../src/platform/http/HttpMetrics.ts"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { RateLimitStore } from "../../../src/platform/http/RateLimitStore.ts"
import { metricsText } from "../../../src/platform/http/MetricsText.ts"
import { testRoutes } from "./TestApi.ts"
import { ask, testOptions } from "./TestServer.ts"

const freePort = Effect.callback<number>((resume) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const address = probe.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    probe.close(() => resume(Effect.succeed(port)))
  })
})

const scrape = (port: number, path = "/metrics") =>
  Effect.callback<string, Error>((resume) => {
    get({ host: "127.0.0.1", port, path, agent: false }, (response) => {
      let text = ""
      response.on("data", (chunk) => (text += chunk))
      response.on("end", () => resume(Effect.succeed(text)))
    }).on("error", (error) => resume(Effect.fail(error)))
  })

describe("metrics", () => {
  it.effect("count requests by family and status, and what others add", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const entries: Array<AccessEntry> = []
      const options = testOptions({ accessLog: (entry) => entries.push(entry) })
      const served = layerServe(testRoutes, options)
      let ready = true
      const metrics = layerMetricsServer({
        hostname: "127.0.0.1",
        port,
        isReady: Effect.sync(() => ready),
        more: Effect.succeed([
          { name: "kinora_task_up", help: "Tasks", type: "gauge", samples: [{ labels: { task: 'a"b' }, value: 1 }] }
        ])
      })
      const all = Layer.merge(served, metrics).pipe(
        Layer.provide(Layer.merge(HttpMetrics.layer, RateLimitStore.layerMemory(100)))
      ) as unknown as Layer.Layer<HttpServer.HttpServer>
      yield* Effect.gen(function* () {
        yield* ask("/api/v1/config?videoFileToken=abc")
        yield* ask("/api/v1/config")
        yield* ask("/api/v1/fail/missing")
        const text = yield* scrape(port)
        assert.include(text, 'kinora_http_requests_total{family="api",method="GET",status="2xx"} 2')
        assert.include(text, 'kinora_http_requests_total{family="api",method="GET",status="4xx"} 1')
        assert.include(
          text,
          'kinora_http_request_duration_seconds_bucket{family="api",method="GET",status="2xx",le="+Inf"} 2'
        )
        assert.include(text, "kinora_http_requests_in_flight 0")
        assert.match(text, /^process_resident_memory_bytes [1-9]\d+$/m)
        assert.match(text, /^nodejs_eventloop_lag_p99_seconds [\d.e-]+$/m)
        assert.include(text, 'kinora_task_up{task="a\\"b"} 1')
        assert.deepInclude(entries[0], {
          method: "GET",
          url: "/api/v1/config?videoFileToken=…",
          status: 200,
          bytes: 11,
          ip: "127.0.0.1"
        })
        assert.strictEqual(entries.length, 3)
        assert.strictEqual(yield* scrape(port, "/ready"), "ready\n")
        ready = false
        assert.strictEqual(yield* scrape(port, "/ready"), "not ready\n")
        assert.strictEqual(yield* scrape(port, "/live"), "alive\n")
      }).pipe(Effect.provide(all))
    })
  )

  it("writes values that are no numbers as the format has them", () => {
    const samples = [{ value: Number.POSITIVE_INFINITY }, { value: Number.NaN }]
    assert.include(metricsText([{ name: "x", help: "x", type: "gauge", samples }]), "x +Inf\nx NaN")
  })
})
