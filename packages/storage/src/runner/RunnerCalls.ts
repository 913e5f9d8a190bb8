import { PgClient } from "@effect/sql-pg/PgClient"
import type { RunnerJobState } from "@kinora/domain/enums/RunnerJobState"
import type { RunnerJobType } from "@kinora/domain/enums/RunnerJobType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { withDatabaseErrors } from "../platform/database/DatabaseErrors.ts"
import type { RunnerLeases } from "./RunnerJobBoard.ts"
import { type RunnerJobRow, runnerJobColumns } from "./RunnerJobRow.ts"
import type { KnownRunner } from "./RunnerRows.ts"

/** A job as it is offered to a runner. */
export interface OfferedJob {
  readonly uuid: string
  readonly type: RunnerJobType
  readonly payload: Readonly<Record<string, unknown>>
}

/** A runner's request for jobs. */
export interface Asked {
  /** SHA-256 of its token. */
  readonly runnerHash: Uint8Array
  readonly types: ReadonlyArray<string>
  /** Jobs that come after all others. */
  readonly last: ReadonlyArray<string>
  /** Maximum number of jobs to return. */
  readonly max: number
}

/**
 * Identifies a runner and its job, with tokens as their SHA-256. A job token identifies one acceptance of one job by
 * one runner.
 */
export interface RunnerAndJob {
  readonly uuid: string
  readonly runnerHash: Uint8Array
  readonly tokenHash: Uint8Array
}

/** The state of a job after a report. */
export interface ReportedJob {
  readonly id: number
  readonly uuid: string
  readonly type: RunnerJobType
  /** 2: the report was written, or the last one is so recent that nothing had to be. */
  readonly state: RunnerJobState
}

/** A job, for the runner that accepted it. */
export interface HeldJob extends ReportedJob {
  readonly videoId: number | null
  readonly privatePayload: Record<string, unknown>
}

/** The result for a known runner. None if the token is unknown. */
export type Answered<A> = Effect.Effect<
  Option.Option<{ readonly runner: KnownRunner; readonly found: A }>,
  DatabaseUnavailable
>

/** A report that changes nothing but the time is written at most once in this many seconds. */
const reportSeconds = 2

/**
 * Requests of runners. Each is one statement, which finds the runner by its token and executes the request: there are
 * many of them.
 */
export class RunnerCalls extends Context.Service<
  RunnerCalls,
  {
    /** The most urgent pending jobs of these types. */
    readonly available: (asked: Asked) => Answered<ReadonlyArray<OfferedJob>>
    /**
     * Gives a pending job to the runner with this job token. None: another runner was first, or the job is not pending.
     */
    readonly accept: (accepted: RunnerAndJob, leases: RunnerLeases) => Answered<Option.Option<RunnerJobRow>>
    /** The job, if the runner holds or held it last with this job token: both tokens must match. */
    readonly held: (identity: RunnerAndJob) => Answered<Option.Option<HeldJob>>
    /** The same. If the job is in progress, also renews its lease and records the progress. */
    readonly report: (
      identity: RunnerAndJob,
      progress: number | undefined,
      leases: RunnerLeases
    ) => Answered<Option.Option<ReportedJob>>
  }
>()("@kinora/storage/runners/RunnerCalls") {
  static readonly layer = Layer.effect(
    RunnerCalls,
    Effect.gen(function* () {
      const sql = yield* PgClient

      /** Lease of a job of this type, in seconds. */
      const leaseOf = (type: "type" | "t.type", { live, vod }: RunnerLeases) => sql`
        interval '1 second' * case ${sql.literal(type)}
          when 'live-rtmp-hls-transcoding' then ${seconds(live)}::float8 else ${seconds(vod)}::float8 end`

      interface Asker {
        readonly askerId: number
        readonly askerName: string
      }
      const runnerOf = ({ askerId: id, askerName: name }: Asker): KnownRunner => ({ id, name })
      const oneOf = <A>(row: (A & Asker) | undefined, isThere: (row: A) => boolean) =>
        Option.map(Option.fromUndefinedOr(row), (one) => ({
          runner: runnerOf(one),
          found: isThere(one) ? Option.some<A>(one) : Option.none<A>()
        }))

      const available = Effect.fn("RunnerCalls.available")(function* ({ last, max, runnerHash, types }: Asked) {
        // A literal number in the statement, with only a few possible values, because the plan depends on it.
        const limit = sql.literal(String(max))
        const rows = yield* sql<Asker & { uuid: string | null } & Omit<OfferedJob, "uuid">>`
          with who as materialized (select id, name from runner where token_hash = ${runnerHash}),
          free as materialized (
            select id, uuid, type, payload, priority from runner_job
            where state = 1 and type = any(${types}::text[]) and uuid <> all(${last}::uuid[])
              and exists (select 1 from who) and not exists (select 1 from job_pause)
            order by priority, id limit ${limit}
          ),
          late as (
            select id, uuid, type, payload, priority from runner_job
            where (select count(*) from free) < ${limit} and state = 1 and type = any(${types}::text[])
              and uuid = any(${last}::uuid[])
              and exists (select 1 from who) and not exists (select 1 from job_pause)
          )
          select w.id as "askerId", w.name as "askerName", j.uuid, j.type, j.payload
          from who w left join (select *, 0 as behind from free union all select *, 1 from late) j on true
          order by j.behind, j.priority, j.id limit ${limit}`
        return Option.map(Option.fromUndefinedOr(rows[0]), (first) => ({
          runner: runnerOf(first),
          found: rows.flatMap(({ payload, type, uuid }): Array<OfferedJob> =>
            uuid === null ? [] : [{ uuid, type, payload }]
          )
        }))
      }, withDatabaseErrors)

      const accept = Effect.fn("RunnerCalls.accept")(function* (
        { runnerHash, tokenHash, uuid }: RunnerAndJob,
        leases: RunnerLeases
      ) {
        const rows = yield* sql<RunnerJobRow & Asker>`
          with who as materialized (
            select id, name, description from runner where token_hash = ${runnerHash} for key share
          ), j as (
            update runner_job set state = 2, runner_id = (select id from who), node = null, token_hash = ${tokenHash},
              accepted = accepted + 1, progress = null, started_at = now(), updated_at = now(),
              lease_until = now() + ${leaseOf("type", leases)}
            where id = (
              select id from runner_job where uuid = ${uuid}::uuid and state = 1 and exists (select 1 from who)
                and not exists (select 1 from job_pause)
              for update skip locked
            )
            returning *
          ) select r.id as "askerId", r.name as "askerName", ${runnerJobColumns(sql)} from who r
            left join j on true left join runner_job p on p.id = j.parent_id`
        return oneOf<RunnerJobRow>(rows[0], ({ id }: { id: number | null }) => id !== null)
      }, withDatabaseErrors)

      const held = Effect.fnUntraced(function* ({ runnerHash, tokenHash, uuid }: RunnerAndJob) {
        const rows = yield* sql<HeldJob & Asker>`
          select r.id as "askerId", r.name as "askerName", j.id, j.uuid, j.type, j.state::integer as state,
            j.video_id as "videoId", j.private_payload as "privatePayload"
          from runner r left join runner_job j
            on j.uuid = ${uuid}::uuid and j.runner_id = r.id and j.token_hash = ${tokenHash}
          where r.token_hash = ${runnerHash}`
        return oneOf<HeldJob>(rows[0], ({ id }: { id: number | null }) => id !== null)
      }, withDatabaseErrors)

      const report = Effect.fnUntraced(function* (
        { runnerHash, tokenHash, uuid }: RunnerAndJob,
        progress: number | undefined,
        leases: RunnerLeases
      ) {
        const percent = sql`${progress ?? null}::smallint`
        const rows = yield* sql<ReportedJob & Asker & { due: boolean; written: boolean }>`
          with who as materialized (select id, name from runner where token_hash = ${runnerHash}),
          j as materialized (
            select id, uuid, type, state, updated_at < now() - ${reportSeconds} * interval '1 second'
              or (progress is null and ${percent} is not null) as due
            from runner_job
            where uuid = ${uuid}::uuid and runner_id = (select id from who) and token_hash = ${tokenHash}
          ), w as (
            update runner_job t set progress = coalesce(${percent}, t.progress), updated_at = now(),
              lease_until = now() + ${leaseOf("t.type", leases)}
            from j where t.id = j.id and j.due and j.state = 2 and t.state = 2 and t.token_hash = ${tokenHash}
            returning t.id
          )
          select r.id as "askerId", r.name as "askerName", j.id, j.uuid, j.type, j.state::integer as state, j.due,
            exists (select 1 from w) as written
          from who r left join j on true`
        const found = oneOf<ReportedJob & { due: boolean; written: boolean }>(
          rows[0],
          ({ id }: { id: number | null }) => id !== null
        )
        const job = Option.flatMap(found, (one) => one.found)
        if (Option.isNone(job) || job.value.state !== 2 || !job.value.due || job.value.written) return found
        // It has just ended, or another report was faster: read it again.
        return yield* held({ uuid, runnerHash, tokenHash })
      }, withDatabaseErrors)

      return RunnerCalls.of({ available, accept, held, report })
    })
  )
}

const seconds = (duration: Duration.Input): number => Duration.toMillis(Duration.fromInputUnsafe(duration)) / 1000
