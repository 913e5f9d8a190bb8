import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** What shows that moderation or administration does not work, or waits for somebody. Ages are in seconds. */
export interface FaultFigures {
  readonly jobsPaused: boolean
  /** Jobs that failed in the last day, by type. */
  readonly failedJobs: ReadonlyArray<{ readonly type: string; readonly count: number }>
  readonly oldestJobAge: number
  /** Reports that nobody decided on. */
  readonly pendingReports: number
  readonly oldestReportAge: number
  /** Requests for registration that nobody decided on. */
  readonly pendingRegistrations: number
  readonly oldestRegistrationAge: number
  /** Follow requests to the instance that nobody answered. */
  readonly pendingFollowers: number
  /** Mailings that are not at their end. */
  readonly openMailings: number
  /** Hosts that did not take anything for more than a day. */
  readonly failingHosts: ReadonlyArray<string>
  /** Addresses of webhooks that the instance made inactive, or that have failed for more than a day. */
  readonly failingWebhooks: ReadonlyArray<string>
  readonly runners: number
  /** Runners that were in contact during the last hour. */
  readonly runnersInContact: number
  readonly administrators: number
  /** Settings of administrators, by their path. */
  readonly settings: ReadonlyArray<string>
}

const age = (column: string) => `coalesce(extract(epoch from now() - min(${column})), 0)::float8`

const statement = `
  select
    exists (select from job_pause) as "jobsPaused",
    coalesce((select json_agg(f order by f.count desc, f.type) from (
      select type, count(*)::integer as count from job
      where state = 'failed' and finished_at > now() - interval '1 day' group by type
    ) f), '[]') as "failedJobs",
    (select ${age("run_at")} from job where state in ('waiting', 'delayed') and run_at <= now()) as "oldestJobAge",
    (select count(*)::integer from abuse where state = 1) as "pendingReports",
    (select ${age("created_at")} from abuse where state = 1) as "oldestReportAge",
    (select count(*)::integer from user_registration where state = 1) as "pendingRegistrations",
    (select ${age("created_at")} from user_registration where state = 1) as "oldestRegistrationAge",
    (select count(*)::integer from actor_follow f where f.state = 'pending' and f.target_actor_id = (
      select id from actor where server_id is null and type = 'Application' order by id limit 1)) as "pendingFollowers",
    (select count(*)::integer from mailing where state = 1) as "openMailings",
    coalesce((select json_agg(host) from (
      select host from delivery_host where failing_since < now() - interval '1 day' order by failing_since limit 20
    ) h), '[]') as "failingHosts",
    coalesce((select json_agg(url order by id) from webhook
      where disabled_reason is not null or active and failing_since < now() - interval '1 day'), '[]') as "failingWebhooks",
    (select count(*)::integer from runner) as runners,
    (select count(*)::integer from runner where last_contact > now() - interval '1 hour') as "runnersInContact",
    (select count(*)::integer from app_user where role = 0 and not blocked) as administrators,
    coalesce((select json_agg(path order by path) from custom_setting), '[]') as settings`

/** Reads what an operator should look into. */
export class FaultReads extends Context.Service<
  FaultReads,
  { readonly read: Effect.Effect<FaultFigures, DatabaseUnavailable> }
>()("@kinora/storage/instance/stats/FaultReads") {
  static readonly layer = Layer.effect(
    FaultReads,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const read = sql.unsafe<FaultFigures>(statement).pipe(
        Effect.map((rows) => rows[0]!),
        withDatabaseErrors,
        Effect.withSpan("FaultReads.read")
      )
      return FaultReads.of({ read })
    })
  )
}
