import { createServer } from "node:http"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { Data, Effect, Layer } from "effect"
import { HttpMetrics } from "./HttpMetrics.ts"
import { type MetricFamily, metricsText, requestFamilies } from "./MetricsText.ts"

const gauge = (name: string, help: string, value: number): MetricFamily => ({
  name,
  help,
  type: "gauge",
  samples: [{ value }]
})

const processFamilies = (delay: { readonly mean: number; readonly max: number; percentile(p: number): number }) => {
  const memory = process.memoryUsage()
  const cpu = process.cpuUsage()
  const lag = (nanoseconds: number) => (Number.isNaN(nanoseconds) ? 0 : nanoseconds / 1e9)
  return [
    gauge("process_resident_memory_bytes", "Resident memory", memory.rss),
    gauge("nodejs_heap_size_used_bytes", "Used heap", memory.heapUsed),
    gauge("nodejs_external_memory_bytes", "Memory of buffers outside the heap", memory.external),
    {
      ...gauge("process_cpu_seconds_total", "Processor time", (cpu.user + cpu.system) / 1e6),
      type: "counter" as const
    },
    gauge("process_uptime_seconds", "Time since start", process.uptime()),
    gauge("nodejs_eventloop_lag_mean_seconds", "Mean delay of the event loop since the last reading", lag(delay.mean)),
    gauge("nodejs_eventloop_lag_p99_seconds", "99th percentile of the delay", lag(delay.percentile(99))),
    gauge("nodejs_eventloop_lag_max_seconds", "Greatest delay", lag(delay.max))
  ]
}

/** The address of the metrics cannot be listened on. */
export class MetricsServeError extends Data.TaggedError("MetricsServeError")<{
  readonly message: string
  readonly cause: unknown
}> {}

/**
 * Serves `/metrics` in the Prometheus text format at an address of its own, which is not meant for the public.
 * Beside it `/live` answers as long as the process does, and `/ready` with 503 while requests cannot be served. `more` adds what other parts know (states of supervised tasks, jobs); a failure of it is a defect of the answer.
 * Fails when the address cannot be listened on.
 */
export const layerMetricsServer = (options: {
  readonly hostname: string
  readonly port: number
  readonly more: Effect.Effect<ReadonlyArray<MetricFamily>>
  /** Whether requests can be served. */
  readonly isReady: Effect.Effect<boolean>
}): Layer.Layer<never, MetricsServeError, HttpMetrics> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const metrics = yield* HttpMetrics
      const run = Effect.runPromiseWith(yield* Effect.context<never>())
      const delay = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const histogram = monitorEventLoopDelay({ resolution: 20 })
          histogram.enable()
          return histogram
        }),
        (histogram) => Effect.sync(() => histogram.disable())
      )
      const render = Effect.map(options.more, (more) => {
        const text = metricsText([...processFamilies(delay), ...requestFamilies(metrics), ...more])
        delay.reset()
        return text
      })
      const server = createServer({ headersTimeout: 5000, requestTimeout: 5000 }, (request, response) => {
        const path = request.method === "GET" ? request.url?.split("?", 1)[0] : undefined
        const answer = (status: number, text: string) =>
          void response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`)
        // That it is answered says that the process lives: a restart would not bring a database back.
        if (path === "/live") return answer(200, "alive")
        if (path === "/ready") {
          run(options.isReady).then(
            (ready) => (ready ? answer(200, "ready") : answer(503, "not ready")),
            () => answer(503, "not ready")
          )
          return
        }
        if (path !== "/metrics") return answer(404, "There are /metrics, /live and /ready.")
        run(render).then(
          (text) => response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(text),
          () => response.writeHead(500).end()
        )
      })
      yield* Effect.acquireRelease(
        Effect.callback<void, MetricsServeError>((resume) => {
          server.once("error", (cause) =>
            resume(
              Effect.fail(
                new MetricsServeError({
                  message: `The metrics cannot be served at ${options.hostname}:${options.port}: ${cause.message}`,
                  cause
                })
              )
            )
          )
          server.listen(options.port, options.hostname, () => resume(Effect.void))
        }),
        () =>
          Effect.callback<void>((resume) => {
            server.close(() => resume(Effect.void))
            server.closeAllConnections()
          })
      )
    })
  )
