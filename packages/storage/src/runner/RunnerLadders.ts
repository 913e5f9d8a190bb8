import type { RunnerJobState } from "@kinora/domain/enums/RunnerJobState"
import type { MadeRunnerJobType } from "@kinora/domain/enums/RunnerJobType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../platform/database/Database.ts"
import { type JobLease, LeaseLost } from "../platform/jobs/Job.ts"
import { maxFailures, type NewRunnerJob, RunnerJobBoard } from "./RunnerJobBoard.ts"

/** A job of a ladder, for the worker that puts the results together. */
export interface LadderPart {
  readonly id: number
  readonly uuid: string
  readonly type: MadeRunnerJobType
  readonly state: RunnerJobState
  readonly failures: number
  readonly payload: unknown
  readonly error: string | null
  /** The source it was created for. */
  readonly source: string | null
  /** Name of the folder with its files. Null if there is none yet. */
  readonly result: string | null
}

/** The state of a ladder, for its job on the board. */
export interface Ladder {
  /** Number of jobs given out. Null: none yet. */
  readonly given: number | null
  /** Whether the video is no longer split. */
  readonly whole: boolean
  readonly parts: ReadonlyArray<LadderPart>
  /** Ids of parts that were already probed while others were still open. */
  readonly seen: ReadonlyArray<number>
}

/**
 * Whether the files of a ladder `j` may still be needed: a failed one can be retried for a day and continues where it
 * ended.
 */
const isNeeded = (sql: SqlClient) => sql`
  (j.state not in ('completed', 'failed', 'cancelled')
    or (j.state = 'failed' and j.finished_at > now() - interval '1 day'))`

/**
 * Jobs on the board whose work is done by runners. Such a job waits like one with dependencies: nobody holds it, and a
 * worker claims it again when the last of its runner jobs has ended.
 */
export class RunnerLadders extends Context.Service<
  RunnerLadders,
  {
    readonly of: (jobId: number) => Effect.Effect<Ladder, DatabaseUnavailable>
    /** Adds the runner jobs, replacing earlier ones, and ends the lease. The attempt does not count. */
    readonly give: (
      lease: JobLease,
      jobs: ReadonlyArray<NewRunnerJob>
    ) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /**
     * Gives runner jobs with unusable results out again, each counted as a failure. One that failed too often stays
     * failed, and the others are awaited. Ends the lease like `give`.
     */
    readonly giveAgain: (
      lease: JobLease,
      useless: ReadonlyArray<{ readonly id: number; readonly words: string }>
    ) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /**
     * Waits for the parts that are still open, after those that ended were probed. The next part to end wakes it again.
     */
    readonly waitForRest: (
      lease: JobLease,
      seen: ReadonlyArray<number>
    ) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /** Returns a ladder whose video cannot be split to the board, to be planned again as a whole. */
    readonly giveUpSplit: (lease: JobLease) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /**
     * The same for ladders that wait for runners of type `type` while there are none: neither the ladder nor any such
     * runner reported for this long. Returns their ids.
     */
    readonly giveUpStuck: (
      type: MadeRunnerJobType,
      forSeconds: number
    ) => Effect.Effect<ReadonlyArray<number>, DatabaseUnavailable>
    /** Returns every job that waits for runners to the board, as if nothing had been given out. Returns how many. */
    readonly recall: Effect.Effect<number, DatabaseUnavailable>
    /** Which of these jobs have not ended, or may be retried. */
    readonly unfinished: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlySet<number>, DatabaseUnavailable>
    /** Which of these result folders are known, and whether they may still be needed. */
    readonly results: (names: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, boolean>, DatabaseUnavailable>
  }
>()("@kinora/storage/runners/RunnerLadders") {
  static readonly layer = Layer.effect(
    RunnerLadders,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const board = yield* RunnerJobBoard

      const of = Effect.fn("RunnerLadders.of")(function* (jobId: number) {
        const given = yield* sql<{ given: number | null; whole: boolean; seen: ReadonlyArray<number> }>`
          select coalesce(result -> 'seen', '[]') as seen, (result ->> 'runnerJobs')::integer as given, coalesce((result ->> 'whole')::boolean, false) as whole
          from job where id = ${jobId}`
        const parts = yield* sql<LadderPart>`
          select id, uuid, type, state::integer as state, failures, payload, error, result,
            private_payload ->> 'source' as source
          from runner_job
          where job_id = ${jobId} order by id`
        return { given: given[0]?.given ?? null, whole: given[0]?.whole ?? false, parts, seen: given[0]?.seen ?? [] }
      }, withDatabaseErrors)

      /** Makes the job wait. The last of its runner jobs to end resumes it. */
      const letWait = Effect.fnUntraced(function* (lease: JobLease) {
        const rows = yield* sql`
          update job set state = 'waiting-children', attempts = attempts - 1, progress = null, updated_at = now(),
            lease_owner = null, lease_token = null, lease_until = null
          where id = ${lease.id} and lease_token = ${lease.token}::uuid returning id`
        if (rows.length === 0) return yield* new LeaseLost({ jobId: lease.id })
      })

      const give = Effect.fn("RunnerLadders.give")(
        function* (lease: JobLease, jobs: ReadonlyArray<NewRunnerJob>) {
          yield* sql`delete from runner_job where job_id = ${lease.id}`
          yield* letWait(lease)
          yield* sql`update job 
            set result = coalesce(result, '{}') - 'seen' || jsonb_build_object('runnerJobs', ${jobs.length}::integer) where id = ${lease.id}`
          for (const job of jobs) yield* board.add({ ...job, jobId: lease.id })
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const waitForRest = Effect.fn("RunnerLadders.waitForRest")(
        function* (lease: JobLease, seen: ReadonlyArray<number>) {
          yield* letWait(lease)
          yield* sql`update job set result = result || jsonb_build_object('seen', ${JSON.stringify(seen)}::jsonb)
            where id = ${lease.id}`
          // Jobs that ended meanwhile found no waiting ladder. The row is locked, so none ends between the two
          // statements.
          yield* sql`
            update job j set state = 'waiting', run_at = now() where id = ${lease.id} and (
              not exists (select 1 from runner_job r where r.job_id = j.id and r.state in (1, 2, 5, 9))
              or exists (
                select 1 from runner_job r
                where r.job_id = j.id and r.state not in (1, 2, 5, 9) and r.id <> all(${seen}::integer[])
              )
            )`
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const giveAgain = Effect.fn("RunnerLadders.giveAgain")(
        function* (lease: JobLease, useless: ReadonlyArray<{ readonly id: number; readonly words: string }>) {
          const ids = useless.map(({ id }) => id)
          const words = useless.map((one) => one.words)
          yield* letWait(lease)
          yield* sql`
            update runner_job r set failures = failures + 1, error = u.words, result = null, progress = null,
              state = case when failures + 1 >= ${maxFailures}::integer then 4 else 1 end,
              started_at = null, updated_at = now(),
              finished_at = case when failures + 1 >= ${maxFailures}::integer then now() end
            from unnest(${ids}::integer[], ${words}::text[]) u (id, words)
            where r.id = u.id and job_id = ${lease.id} and state = 3`
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const unfinished = Effect.fn("RunnerLadders.unfinished")(function* (ids: ReadonlyArray<number>) {
        const rows = yield* sql<{ id: number }>`
          select id from job j where id = any(${ids}::bigint[]) and ${isNeeded(sql)}`
        return new Set(rows.map(({ id }) => Number(id)))
      }, withDatabaseErrors)

      const giveUpSplit = Effect.fn("RunnerLadders.giveUpSplit")(
        function* (lease: JobLease) {
          const rows = yield* sql`
            update job set state = 'waiting', run_at = now(), attempts = attempts - 1, progress = null, updated_at = now(),
              lease_owner = null, lease_token = null, lease_until = null, result = '{"whole": true}'
            where id = ${lease.id} and lease_token = ${lease.token}::uuid returning id`
          if (rows.length === 0) return yield* new LeaseLost({ jobId: lease.id })
          yield* sql`delete from runner_job where job_id = ${lease.id}`
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const giveUpStuck = Effect.fn("RunnerLadders.giveUpStuck")(
        function* (type: MadeRunnerJobType, forSeconds: number) {
          const lately = sql`now() - ${forSeconds} * interval '1 second'`
          const rows = yield* sql<{ id: number }>`
            update job set state = 'waiting', run_at = now(), progress = null, updated_at = now(),
              result = '{"whole": true}'
            where state = 'waiting-children' and id in (
              select c.job_id from (select distinct job_id from runner_job where type = ${type} and state = 1) c
              where not exists (
                select 1 from runner_job r
                where r.job_id = c.job_id and r.type = ${type} and (r.state in (2, 9) or r.updated_at > ${lately})
              )
            ) and not exists (
              select 1 from runner where ${type}::text = any(job_types) and last_contact > ${lately}
            )
            returning id`
          const ids = rows.map(({ id }) => id)
          if (ids.length > 0) yield* sql`delete from runner_job where job_id = any(${ids}::integer[])`
          return ids
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const results = Effect.fn("RunnerLadders.results")(function* (names: ReadonlyArray<string>) {
        const rows = yield* sql<{ result: string; needed: boolean }>`
          select r.result, coalesce(${isNeeded(sql)}, false) as needed
          from runner_job r left join job j on j.id = r.job_id where r.result = any(${names}::text[])`
        return new Map(rows.map(({ needed, result }) => [result, needed]))
      }, withDatabaseErrors)

      const recall = Effect.gen(function* () {
        const rows = yield* sql<{ id: number }>`
          update job set state = 'waiting', run_at = now(), result = null, updated_at = now()
          where state in ('waiting-children', 'waiting', 'delayed') and result ? 'runnerJobs' returning id`
        const ids = rows.map(({ id }) => id)
        yield* sql`delete from runner_job where job_id = any(${ids}::integer[])`
        return rows.length
      }).pipe(sql.withTransaction, withDatabaseErrors, Effect.withSpan("RunnerLadders.recall"))

      return RunnerLadders.of({
        of,
        give,
        giveAgain,
        giveUpSplit,
        giveUpStuck,
        recall,
        results,
        unfinished,
        waitForRest
      })
    })
  )
}
