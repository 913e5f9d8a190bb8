import type { OperationFigures, OperationFiguresReads } from "@kinora/storage/instance/stats/OperationFigures"
import { buckets } from "@kinora/storage/platform/objects/ObjectKey"
import type { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Duration, Effect, Option } from "effect"
import type { MetricFamily } from "../../platform/http/MetricsText.ts"

const gauge = (name: string, help: string, value: number): MetricFamily => ({
  name,
  help,
  type: "gauge",
  samples: [{ value }]
})

const counter = (name: string, help: string, value: number): MetricFamily => ({
  ...gauge(name, help, value),
  type: "counter"
})

const byState = (name: string, help: string, counts: Readonly<Record<string, number>>): MetricFamily => ({
  name,
  help,
  type: "gauge",
  samples: Object.entries(counts).map(([state, value]) => ({ labels: { state }, value }))
})

/** Lives whose publishers are connected to this node. */
export const liveMetrics = ({
  bitRate,
  publishers
}: {
  readonly bitRate: number
  readonly publishers: number
}): ReadonlyArray<MetricFamily> => [
  gauge("kinora_live_publishers", "Publishers of lives that are connected to this node", publishers),
  gauge("kinora_live_bits_per_second", "What they send, over the last seconds", bitRate)
]

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
  gauge("kinora_webhook_deliveries", "Messages that are to be sent to webhooks", figures.webhookDeliveries),
  gauge(
    "kinora_oldest_webhook_delivery_age_seconds",
    "How long the oldest of them has waited",
    figures.oldestWebhookDeliveryAge
  ),
  byState(
    "kinora_webhooks",
    "Webhooks; disabled: the instance made them inactive, because they failed",
    figures.webhooks
  ),
  gauge("kinora_live_sessions", "Lives that are being published, through any node", figures.liveSessions),
  gauge("kinora_live_viewers", "Viewers of these, here and elsewhere", figures.liveViewers),
  byState("kinora_runners", "Runners by whether they were in contact during the last five minutes", {
    connected: figures.runners.connected,
    silent: figures.runners.silent
  }),
  gauge("kinora_runners_busy", "Runners that work on something", figures.runners.busy),
  byState("kinora_runner_jobs", "Jobs for runners that wait, or that one works on", figures.runnerJobs),
  gauge("kinora_object_removals", "Files whose removal is due; they wait while a backup runs", figures.removals),
  gauge("kinora_uploads", "Unfinished uploads", figures.uploads),
  gauge("kinora_upload_bytes", "What has arrived of them", figures.uploadBytes),
  {
    name: "kinora_database_connections",
    help: "Open connections to the database, by what they do",
    type: "gauge",
    samples: figures.connections.map(({ count, state }) => ({ labels: { state }, value: count }))
  },
  gauge("kinora_database_longest_query_seconds", "How long the longest statement has run", figures.longestQuery),
  gauge(
    "kinora_database_longest_transaction_seconds",
    "How long the longest transaction has been open",
    figures.longestTransaction
  ),
  {
    name: "kinora_database_transactions_total",
    help: "Transactions of the database, by how they ended",
    type: "counter",
    samples: [
      { labels: { outcome: "committed" }, value: figures.transactions.committed },
      { labels: { outcome: "rolled back" }, value: figures.transactions.rolledBack }
    ]
  },
  counter("kinora_database_deadlocks_total", "Deadlocks that the database has ended", figures.transactions.deadlocks),
  counter("kinora_database_temporary_bytes_total", "Bytes written into temporary files", figures.temporaryBytes),
  gauge("kinora_database_size_bytes", "Size of the database", figures.databaseBytes)
]

/** The connections of this node to the database. */
export interface ConnectionPool {
  readonly size: number
  /** A statement without work over one of them. */
  readonly probe: Effect.Effect<unknown, unknown>
}

/** What waits, what failed and what room there is. While the database is away, that and nothing else of it. */
export const operationMetrics = (
  reads: OperationFiguresReads["Service"],
  objects: ObjectStore["Service"],
  pool: ConnectionPool
) =>
  Effect.gen(function* () {
    const [waited, answered] = yield* Effect.timed(Effect.option(pool.probe))
    const figures = yield* Effect.option(reads.read)
    const free = yield* Effect.forEach(buckets, (bucket) =>
      Effect.map(objects.freeBytes(bucket), (value) => ({ labels: { folder: bucket }, value }))
    )
    return [
      gauge("kinora_database_pool_size", "Connections that this node opens at most", pool.size),
      ...(Option.isSome(answered)
        ? [
            gauge(
              "kinora_database_probe_seconds",
              "How long a statement without work takes, with its wait for a connection of the pool",
              Duration.toSeconds(waited)
            )
          ]
        : []),
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
