import type { OperationFigures, OperationFiguresReads } from "@kinora/storage/instance/stats/OperationFigures"
import { buckets } from "@kinora/storage/platform/objects/ObjectKey"
import type { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Effect, Option } from "effect"
import type { MetricFamily } from "../../platform/http/MetricsText.ts"

const gauge = (name: string, help: string, value: number): MetricFamily => ({
  name,
  help,
  type: "gauge",
  samples: [{ value }]
})

const families = (figures: OperationFigures): ReadonlyArray<MetricFamily> => [
  {
    name: "kinora_jobs",
    help: "Jobs by type (email: mail that is to be sent) and state; those that ended are kept for a week",
    type: "gauge",
    samples: figures.jobs.map(({ count, state, type }) => ({ labels: { type, state }, value: count }))
  },
  gauge("kinora_oldest_job_age_seconds", "How long the oldest job has waited that could begin", figures.oldestJobAge),
  gauge("kinora_deliveries", "Activities that are to be delivered to other instances", figures.deliveries),
  gauge("kinora_oldest_delivery_age_seconds", "How long the oldest of them has waited", figures.oldestDeliveryAge),
  gauge("kinora_inbox_activities", "Received activities that are to be applied", figures.inbox),
  gauge("kinora_oldest_inbox_activity_age_seconds", "How long the oldest of them has waited", figures.oldestInboxAge),
  gauge("kinora_object_removals", "Files whose removal is due; they wait while a backup runs", figures.removals),
  gauge("kinora_uploads", "Unfinished uploads", figures.uploads),
  gauge("kinora_upload_bytes", "What has arrived of them", figures.uploadBytes),
  gauge("kinora_database_connections", "Open connections to the database", figures.connections),
  gauge("kinora_database_size_bytes", "Size of the database", figures.databaseBytes)
]

/** What waits, what failed and what room there is. While the database is away, that and nothing else of it. */
export const operationMetrics = (reads: OperationFiguresReads["Service"], objects: ObjectStore["Service"]) =>
  Effect.gen(function* () {
    const figures = yield* Effect.option(reads.read)
    const free = yield* Effect.forEach(buckets, (bucket) =>
      Effect.map(objects.freeBytes(bucket), (value) => ({ labels: { folder: bucket }, value }))
    )
    return [
      gauge("kinora_database_up", "Whether the database answers", Option.isSome(figures) ? 1 : 0),
      ...Option.match(figures, { onNone: () => [], onSome: families }),
      {
        name: "kinora_disk_free_bytes",
        help: "Free bytes of the disk each kind of files is on",
        type: "gauge",
        samples: free
      }
    ] satisfies ReadonlyArray<MetricFamily>
  })
