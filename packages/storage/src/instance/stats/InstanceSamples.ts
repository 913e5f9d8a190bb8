import type { InstanceCount, InstanceMetric } from "@kinora/domain/enums/InstanceMetric"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { SlowSql } from "../../platform/database/SlowSql.ts"

/** What was measured of one metric in one step. */
export interface Sample {
  /** When the step begins. ISO 8601. */
  readonly date: string
  readonly metric: InstanceMetric
  /** The sum of its hours. */
  readonly total: number
  /** The value of its last hour. */
  readonly last: number
}

/** Figures of the instance hour by hour. */
export class InstanceSamples extends Context.Service<
  InstanceSamples,
  {
    /** Measures the levels, and counts the jobs that ended in this hour and the one before. Nodes may do it at once. */
    readonly measure: Effect.Effect<void, DatabaseUnavailable>
    /** Adds what a node has counted to this hour. */
    readonly add: (counts: ReadonlyMap<InstanceCount, number>) => Effect.Effect<void, DatabaseUnavailable>
    /** Samples between two instants (ISO 8601) by step, in the order of time. */
    readonly read: (
      start: string,
      end: string,
      step: "hour" | "day"
    ) => Effect.Effect<ReadonlyArray<Sample>, DatabaseUnavailable>
  }
>()("@kinora/storage/instance/InstanceSamples") {
  static readonly layer = Layer.effect(
    InstanceSamples,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const slow = yield* SlowSql

      const levels = slow<{ metric: string; value: string }>`
        with follows as (
          select count(*) filter (where f.target_actor_id = i.id) as followers, count(*) filter (where f.actor_id = i.id) as following
          from (select instance_actor() as id) i
            join actor_follow f on f.state = 'accepted' and (f.target_actor_id = i.id or f.actor_id = i.id)
        ), ours as (
          select coalesce(sum(views), 0) as views, coalesce(sum(local_files_size), 0) as bytes from video where not remote
        )
        select 'users' as metric, count(*)::text as value from app_user
        union all select 'videos', coalesce(sum(change) filter (where not remote), 0)::text from video_total where visible = 2
        union all select 'views', views::text from ours
        union all select 'fileBytes', bytes::text from ours
        union all select 'databaseBytes', pg_database_size(current_database())::text
        union all select 'followers', followers::text from follows
        union all select 'following', following::text from follows
        union all select 'deliveriesWaiting', count(*)::text from delivery
        union all select 'activitiesWaiting', count(*)::text from inbox_activity where state = 'waiting'
        union all select 'jobsWaiting', count(*)::text from job where state in ('waiting', 'delayed', 'waiting-children')`

      // Slow statements have connections of their own and may not write.
      const measure = Effect.gen(function* () {
        const rows = yield* levels
        yield* sql`
          insert into instance_sample (metric, hour, value)
          select v.metric, date_trunc('hour', now()), v.value from unnest(
            ${rows.map((it) => it.metric)}::text[], ${rows.map((it) => it.value)}::bigint[]) v (metric, value)
          on conflict (metric, hour) do update set value = excluded.value`
        yield* sql`
          insert into instance_sample (metric, hour, value)
          select case state when 'completed' then 'jobsCompleted' else 'jobsFailed' end, date_trunc('hour', finished_at), count(*)
          from job where state in ('completed', 'failed') and finished_at >= date_trunc('hour', now()) - interval '1 hour'
          group by 1, 2
          on conflict (metric, hour) do update set value = excluded.value`
      }).pipe(withDatabaseErrors, Effect.withSpan("InstanceSamples.measure"))

      const add = (counts: ReadonlyMap<InstanceCount, number>) =>
        counts.size === 0
          ? Effect.void
          : sql`
              insert into instance_sample as s (metric, hour, value)
              select v.metric, date_trunc('hour', now()), v.value
              from unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::bigint[]) v (metric, value)
              on conflict (metric, hour) do update set value = s.value + excluded.value`.pipe(
              Effect.asVoid,
              withDatabaseErrors,
              Effect.withSpan("InstanceSamples.add")
            )

      const read = (start: string, end: string, step: "hour" | "day") =>
        sql<Sample>`
          select wire_time(step) as date, metric, sum(value)::float8 as total,
            ((array_agg(value order by hour desc))[1])::float8 as last
          from (
            select date_trunc(${step}, hour) as step, metric, value, hour from instance_sample
            where hour >= date_trunc(${step}, ${start}::timestamptz) and hour <= ${end}::timestamptz
          ) s
          group by step, metric order by step, metric
        `.pipe(withDatabaseErrors, Effect.withSpan("InstanceSamples.read"))

      return InstanceSamples.of({ measure, add, read })
    })
  )
}
