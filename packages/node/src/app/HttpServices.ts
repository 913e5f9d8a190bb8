import { OperationFiguresReads } from "@kinora/storage/instance/stats/OperationFigures"
import { ClusterNodeReads } from "@kinora/storage/platform/cluster/ClusterNodeReads"
import { CurrentReplica } from "@kinora/storage/platform/database/replica/Replica"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Effect, Layer } from "effect"
import { Sharding } from "effect/cluster"
import { SqlClient } from "effect/sql/SqlClient"
import { ClusterNode } from "../platform/cluster/ClusterNode.ts"
import { Placement } from "../platform/cluster/Placement.ts"
import { KinoraConfig } from "../platform/config/Config.ts"
import { makeAccessLog } from "../platform/http/AccessLog.ts"
import { layerServe } from "../platform/http/HttpServerLayer.ts"
import { layerMetricsServer } from "../platform/http/MetricsServer.ts"
import { RunnerExemption } from "../runner/registration/RunnerExemption.ts"
import { RateLimitExemption } from "../people/session/RateLimitExemption.ts"
import { clusterMetrics } from "../instance/stats/ClusterMetrics.ts"
import { liveMetrics, operationMetrics } from "../instance/stats/OperationMetrics.ts"
import { replicaMetrics } from "../instance/stats/ReplicaMetrics.ts"
import { RunningLives } from "../live/session/RunningLives.ts"
import { PlaybackMetrics } from "../instance/stats/PlaybackMetrics.ts"
import { registryFamilies } from "../platform/observability/RegistryFamilies.ts"
import { Supervisor } from "../platform/supervision/Supervisor.ts"
import { httpSettings } from "./HttpSettings.ts"
import { Routes } from "./Routes.ts"

const server = Layer.unwrap(
  Effect.gen(function* () {
    const config = yield* KinoraConfig
    // Lives are published over HTTP, too, and other nodes ask for them.
    if (!config.cluster.roles.some((role) => role !== "worker")) return Layer.empty
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

/** States of tasks are read from the supervisor: the registry keeps those of tasks that are gone. */
const registered = registryFamilies(new Set(["kinora_task_up", "kinora_task_restarts_total"]))

/** `/metrics`, `/live` and `/ready` at its own address, when `open_telemetry.metrics` is enabled. */
const metrics = Layer.unwrap(
  Effect.gen(function* () {
    const config = yield* KinoraConfig
    const supervisor = yield* Supervisor
    const playback = yield* PlaybackMetrics
    const sql = yield* SqlClient
    const probe = Effect.timeout(sql`select 1`, "3 seconds")
    const pool = { size: config.database.pool.max, probe }
    const lives = yield* RunningLives
    const operation = operationMetrics(yield* OperationFiguresReads, yield* ObjectStore, pool)
    const replica = yield* CurrentReplica
    const cluster = clusterMetrics({
      own: yield* ClusterNode,
      roles: (yield* Placement).roles,
      reads: yield* ClusterNodeReads,
      sharding: yield* Sharding.Sharding
    })
    const { enabled, prometheus_exporter } = config.open_telemetry.metrics
    if (!enabled) return Layer.empty
    return layerMetricsServer({
      hostname: prometheus_exporter.hostname,
      port: prometheus_exporter.port,
      isReady: Effect.as(probe, true).pipe(Effect.catch(() => Effect.succeed(false))),
      more: Effect.map(
        Effect.all([supervisor.states, operation, registered, lives.arriving, cluster]),
        ([states, operating, counted, live, ofCluster]) => [
          ...playback.families(),
          ...operating,
          ...replicaMetrics(replica),
          ...counted,
          ...liveMetrics(live),
          ...ofCluster,
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
        ]
      )
    })
  })
).pipe(Layer.provide([OperationFiguresReads.layer, ClusterNodeReads.layer]))

/** The server with all routes, and the metrics. */
export const HttpServices = Layer.mergeAll(server, metrics)
