import type { Replica } from "@kinora/storage/platform/database/replica/Replica"
import type { MetricFamily } from "../../platform/http/MetricsText.ts"

const figure = (type: "gauge" | "counter", name: string, help: string, value: number): MetricFamily => ({
  name,
  help,
  type,
  samples: [{ value }]
})

/** How the read replica does; nothing where there is none. */
export const replicaMetrics = (replica: Replica | undefined): ReadonlyArray<MetricFamily> => {
  if (replica === undefined) return []
  const behind = replica.behind()
  return [
    figure(
      "gauge",
      "kinora_database_replica_up",
      "Whether visitors are answered from the read replica",
      replica.mayBeRead() ? 1 : 0
    ),
    ...(Number.isFinite(behind)
      ? [figure("gauge", "kinora_database_replica_behind_seconds", "How far it is behind at most", behind / 1000)]
      : []),
    figure("counter", "kinora_database_replica_reads_total", "Reads that it answered", replica.counts.answered),
    figure(
      "counter",
      "kinora_database_replica_replaced_reads_total",
      "Reads that it failed at, and the primary answered",
      replica.counts.replaced
    )
  ]
}
