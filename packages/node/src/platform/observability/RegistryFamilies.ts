import { Effect, Metric } from "effect"
import type { MetricFamily, Sample } from "../http/MetricsText.ts"
import { countedOutcomes } from "./Outcomes.ts"

const ours = "kinora_"

/**
 * The counters and gauges of ours in Effect's registry, which OTLP exports as well, in the form that Prometheus reads. `except`
 * names those that are given otherwise. Outcomes that have not come about are zero.
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
    for (const { description, name, outcomes } of countedOutcomes()) {
      const family = families.get(name) ?? { name, help: description, type: "counter" as const, samples: [] }
      const known = new Set(family.samples.map(({ labels }) => labels?.["outcome"]))
      for (const outcome of outcomes) if (!known.has(outcome)) family.samples.push({ labels: { outcome }, value: 0 })
      families.set(name, family)
    }
    return [...families.values()]
  })
