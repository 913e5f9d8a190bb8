import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** What an operator watches: what waits, for how long, and what has failed. Ages are in seconds, 0 where nothing waits. */
export interface OperationFigures {
  readonly jobs: ReadonlyArray<{ readonly type: string; readonly state: string; readonly count: number }>
  readonly oldestJobAge: number
  readonly deliveries: number
  readonly oldestDeliveryAge: number
  readonly inbox: number
  readonly oldestInboxAge: number
  /** Messages that wait for webhooks. */
  readonly webhookDeliveries: number
  readonly oldestWebhookDeliveryAge: number
  /** Webhooks by whether they are sent anything; `disabled`: the instance made them inactive. */
  readonly webhooks: { readonly active: number; readonly inactive: number; readonly disabled: number }
  /** Lives that are being published, through any node, and who watches them, here and elsewhere. */
  readonly liveSessions: number
  readonly liveViewers: number
  /** Runners by whether they were in contact during the last five minutes, and those of them that hold work. */
  readonly runners: { readonly connected: number; readonly silent: number; readonly busy: number }
  readonly runnerJobs: { readonly waiting: number; readonly processing: number }
  readonly removals: number
  readonly uploads: number
  readonly uploadBytes: number
  /** Connections of nodes and commands to the database, by what they do. */
  readonly connections: ReadonlyArray<{ readonly state: string; readonly count: number }>
  /** How long the longest statement has run. */
  readonly longestQuery: number
  /** How long the longest transaction has been open. */
  readonly longestTransaction: number
  readonly databaseBytes: number
  /** Since the statistics of the database were reset. */
  readonly transactions: { readonly committed: number; readonly rolledBack: number; readonly deadlocks: number }
  /** What statements wrote into temporary files. */
  readonly temporaryBytes: number
}

/** Reads what there is to do and what there is of it, for metrics. */
export class OperationFiguresReads extends Context.Service<
  OperationFiguresReads,
  { readonly read: Effect.Effect<OperationFigures, DatabaseUnavailable> }
>()("@kinora/storage/instance/OperationFiguresReads") {
  static readonly layer = Layer.effect(
    OperationFiguresReads,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const read = sql<OperationFigures>`
        select
          coalesce((select json_agg(j) from (select type, state, count(*) from job group by type, state) j), '[]') as jobs,
          coalesce((select extract(epoch from now() - min(run_at)) from job
            where state in ('waiting', 'delayed') and run_at <= now()), 0)::float8 as "oldestJobAge",
          (select count(*) from delivery) as deliveries,
          coalesce((select extract(epoch from now() - min(created_at)) from delivery), 0)::float8 as "oldestDeliveryAge",
          (select count(*) from inbox_activity where state = 'waiting') as inbox,
          coalesce((select extract(epoch from now() - min(received_at)) from inbox_activity where state = 'waiting'), 0)::float8
            as "oldestInboxAge",
          (select count(*) from webhook_delivery where state = 1) as "webhookDeliveries",
          coalesce((select extract(epoch from now() - min(queued_at)) from webhook_delivery where state = 1), 0)::float8
            as "oldestWebhookDeliveryAge",
          (select json_build_object('active', count(*) filter (where active),
            'inactive', count(*) filter (where not active and disabled_reason is null),
            'disabled', count(*) filter (where disabled_reason is not null)) from webhook) as webhooks,
          (select count(*) from live_session where ended_at is null) as "liveSessions",
          (select coalesce(sum(n.viewers + n.remote), 0) from live_session s join video_viewers n on n.video_id = s.video_id
            where s.ended_at is null)::int as "liveViewers",
          (select json_build_object('connected', count(*) filter (where last_contact > now() - interval '5 minutes'),
            'silent', count(*) filter (where last_contact <= now() - interval '5 minutes'),
            'busy', count(*) filter (where exists (select from runner_job j where j.runner_id = runner.id and j.state = 2)))
            from runner) as runners,
          (select json_build_object('waiting', count(*) filter (where state = 1),
            'processing', count(*) filter (where state = 2)) from runner_job where state in (1, 2)) as "runnerJobs",
          (select count(*) from object_removal where not_before <= now()) as removals,
          (select count(*) from upload_session where state <> 'done') as uploads,
          (select coalesce(sum(received), 0) from upload_session where state <> 'done')::bigint as "uploadBytes",
          coalesce((select json_agg(c) from (
            select coalesce(state, 'unknown') as state, count(*) from pg_stat_activity
            where datname = current_database() and backend_type = 'client backend' group by 1) c), '[]') as connections,
          coalesce((select extract(epoch from now() - min(query_start)) from pg_stat_activity
            where datname = current_database() and state = 'active' and pid <> pg_backend_pid()), 0)::float8 as "longestQuery",
          coalesce((select extract(epoch from now() - min(xact_start)) from pg_stat_activity
            where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()), 0)::float8
            as "longestTransaction",
          pg_database_size(current_database())::bigint as "databaseBytes",
          (select json_build_object('committed', xact_commit, 'rolledBack', xact_rollback, 'deadlocks', deadlocks)
            from pg_stat_database where datname = current_database()) as transactions,
          (select temp_bytes from pg_stat_database where datname = current_database())::bigint as "temporaryBytes"
      `.pipe(
        Effect.map((rows) => rows[0]!),
        withDatabaseErrors,
        Effect.withSpan("OperationFigures.read")
      )
      return OperationFiguresReads.of({ read })
    })
  )
}
