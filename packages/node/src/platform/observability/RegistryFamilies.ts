import { Effect, Metric } from "effect"
import type { MetricFamily, Sample } from "../http/MetricsText.ts"

const ours = "kinora_"

/**
 * The counters and gauges of ours in Effect's registry, which OTLP exports as well, in the form that Prometheus reads. `except`
 * names those that are given otherwise.
 */
export const registryFamilies = (except: ReadonlySet<string>): Effect.Effect<ReadonlyArray<MetricFamily>> =>
  Effect.map(Metric.snapshot, (snapshots) => {
    const families = new Map<string, MetricFamily & { readonly samples: Array<Sample> }>()
    for (const { attributes, description, id, state, type } of snapshots) {
      if (!id.startsWith(ours) || except.has(id) || (type !== "Counter" && type !== "Gauge")) continue
      const family = families.get(id) ?? {
        name: id,
        help: description ?? id,
        type: type === "Counter" ? ("counter" as const) : ("gauge" as const),
        samples: []
      }
      family.samples.push({
        ...(attributes === undefined ? {} : { labels: attributes }),
        value: Number("count" in state ? state.count : "value" in state ? state.value : 0)
      })
      families.set(id, family)
    }
    return [...families.values()]
  })
