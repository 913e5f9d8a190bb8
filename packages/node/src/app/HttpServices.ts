import { Effect, Layer } from "effect"
import { KinoraConfig } from "../platform/config/Config.ts"
import { makeAccessLog } from "../platform/http/AccessLog.ts"
import { layerServe } from "../platform/http/HttpServerLayer.ts"
import { layerMetricsServer } from "../platform/http/MetricsServer.ts"
import { RunnerExemption } from "../runner/registration/RunnerExemption.ts"
import { RateLimitExemption } from "../people/session/RateLimitExemption.ts"
import { PlaybackMetrics } from "../instance/stats/PlaybackMetrics.ts"
import { Supervisor } from "../platform/supervision/Supervisor.ts"
import { httpSettings } from "./HttpSettings.ts"
import { Routes } from "./Routes.ts"

const server = Layer.unwrap(
  Effect.gen(function* () {
    const config = yield* KinoraConfig
    const people = yield* RateLimitExemption
    const runners = yield* RunnerExemption
    const exemption = RateLimitExemption.of({
      isExempt: (request) =>
        Effect.flatMap(people.isExempt(request), (exempt) =>
          exempt ? Effect.succeed(true) : runners.isExempt(request)
        )
    })
    const { anonymize_ip, log_http_requests, log_ping_requests } = config.log
    const accessLog = log_http_requests
      ? yield* makeAccessLog({ level: "Debug", pings: log_ping_requests, anonymizeIp: anonymize_ip })
      : undefined
    return layerServe(Routes, httpSettings(config, exemption, accessLog))
  })
)

/** `/metrics` at its own address, when `open_telemetry.metrics` is enabled. */
const metrics = Layer.unwrap(
  Effect.gen(function* () {
    const config = yield* KinoraConfig
    const supervisor = yield* Supervisor
    const playback = yield* PlaybackMetrics
    const { enabled, prometheus_exporter } = config.open_telemetry.metrics
    if (!enabled) return Layer.empty
    return layerMetricsServer({
      hostname: prometheus_exporter.hostname,
      port: prometheus_exporter.port,
      more: Effect.map(supervisor.states, (states) => [
        ...playback.families(),
        {
          name: "kinora_task_up",
          help: "Whether each supervised task is running",
          type: "gauge" as const,
          samples: states.map((s) => ({ labels: { task: s.name }, value: s.status === "running" ? 1 : 0 }))
        },
        {
          name: "kinora_task_restarts_total",
          help: "Restarts of each supervised task",
          type: "counter" as const,
          samples: states.map((s) => ({ labels: { task: s.name }, value: s.restarts }))
        }
      ])
    })
  })
)

/** The server with all routes, and the metrics. */
export const HttpServices = Layer.mergeAll(server, metrics)
