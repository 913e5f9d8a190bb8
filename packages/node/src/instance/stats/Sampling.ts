import type { InstanceCount } from "@kinora/domain/enums/InstanceMetric"
import { InstanceSamples } from "@kinora/storage/instance/stats/InstanceSamples"
import { Duration, Effect, Layer } from "effect"
import { HttpMetrics } from "../../platform/http/HttpMetrics.ts"
import { registryFamilies } from "../../platform/observability/RegistryFamilies.ts"
import { periodic } from "../../platform/supervision/Every.ts"

const interval = Duration.minutes(5)

/** Counters of this node's registry, by family and outcome. */
const outcomes = {
  kinora_delivery_attempts_total: (outcome: string) =>
    outcome === "Delivered" ? "deliveries" : ("deliveriesFailed" as const),
  kinora_inbox_activities_total: (outcome: string) =>
    outcome === "applied" ? "activitiesApplied" : ("activitiesRefused" as const)
} as const

/** What this node has counted since it began. */
const counted = (http: HttpMetrics["Service"]) =>
  Effect.map(registryFamilies(new Set()), (families) => {
    const counts = new Map<InstanceCount, number>()
    const add = (metric: InstanceCount, by: number) => counts.set(metric, (counts.get(metric) ?? 0) + by)
    for (const { bytes, count } of http.series()) {
      add("requests", count)
      add("responseBytes", bytes)
    }
    for (const { name, samples } of families) {
      const metricOf = outcomes[name as keyof typeof outcomes]
      if (metricOf === undefined) continue
      for (const { labels, value } of samples) add(metricOf(labels?.["outcome"] ?? ""), value)
    }
    return counts
  })

/**
 * Keeps figures of the instance over time: levels as they are, and what this node counted since the last time. A node
 * that is killed loses the counts of minutes.
 */
export const Sampling = Layer.effectDiscard(
  Effect.gen(function* () {
    const samples = yield* InstanceSamples
    const http = yield* HttpMetrics
    let kept: ReadonlyMap<InstanceCount, number> = new Map()
    const sample = Effect.gen(function* () {
      const now = yield* counted(http)
      const since = new Map<InstanceCount, number>()
      for (const [metric, value] of now) {
        const more = value - (kept.get(metric) ?? 0)
        if (more > 0) since.set(metric, more)
      }
      yield* samples.add(since)
      kept = now
      yield* samples.measure
    })
    yield* periodic("instance figures", interval, sample)
  })
)
