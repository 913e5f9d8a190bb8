import type { RunnerJobState } from "@kinora/domain/enums/RunnerJobState"
import type { MadeRunnerJobType } from "@kinora/domain/enums/RunnerJobType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../database/Database.ts"
import { type JobLease, LeaseLost } from "../jobs/Job.ts"
import { mostFailures, type NewRunnerJob, RunnerJobBoard } from "./RunnerJobBoard.ts"

/** A job of a ladder, as whoever puts the results together finds it. */
export interface LadderPart {
  readonly id: number
  readonly uuid: string
  readonly type: MadeRunnerJobType
  readonly state: RunnerJobState
  readonly payload: unknown
  readonly error: string | null
  /** The file it was given out for. */
  readonly source: string | null
  /** Name of the folder with its files; null while there is none. */
  readonly result: string | null
}

/** What became of the ladder that a job of the board is about. */
export interface Ladder {
  /** Jobs that were given out; null: none yet. */
  readonly given: number | null
  readonly parts: ReadonlyArray<LadderPart>
}

/**
 * Jobs of the board whose work runners do. Such a job waits like one that has children: it belongs to nobody, and a worker
 * gets it again when the last of its runner jobs has ended.
 */
export class RunnerLadders extends Context.Service<
  RunnerLadders,
  {
    readonly of: (jobId: number) => Effect.Effect<Ladder, DatabaseUnavailable>
    /** Adds the runner jobs, in place of any former ones, and ends the lease; the attempt does not count. */
    readonly give: (
      lease: JobLease,
      jobs: ReadonlyArray<NewRunnerJob>
    ) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /**
     * Gives runner jobs whose results are of no use out again, each a failure: one that failed too often has failed for
     * good, and the others are waited for. Ends the lease as `give` does.
     */
    readonly giveAgain: (
      lease: JobLease,
      ids: ReadonlyArray<number>,
      words: string
    ) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /** Gives every job that waits for runners back to the board, as if they had never been asked; answers how many. */
    readonly recall: Effect.Effect<number, DatabaseUnavailable>
    /** Folders of results that are known, and whether somebody may still need them. */
    readonly results: Effect.Effect<ReadonlyMap<string, boolean>, DatabaseUnavailable>
  }
>()("@kinora/storage/runners/RunnerLadders") {
  static readonly layer = Layer.effect(
    RunnerLadders,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const board = yield* RunnerJobBoard

      const of = Effect.fn("RunnerLadders.of")(function* (jobId: number) {
        const given = yield* sql<{ given: number | null }>`
          select (result ->> 'runnerJobs')::integer as given from job where id = ${jobId}`
        const parts = yield* sql<LadderPart>`
          select id, uuid, type, state::integer as state, payload, error, result,
            private_payload ->> 'source' as source
          from runner_job
          where job_id = ${jobId} order by id`
        return { given: given[0]?.given ?? null, parts }
      }, withDatabaseErrors)

      /** Makes the job wait: by what ends last, it is told. */
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
          yield* sql`update job set result = jsonb_build_object('runnerJobs', ${jobs.length}::integer) where id = ${lease.id}`
          for (const job of jobs) yield* board.add({ ...job, jobId: lease.id })
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const giveAgain = Effect.fn("RunnerLadders.giveAgain")(
        function* (lease: JobLease, ids: ReadonlyArray<number>, words: string) {
          yield* letWait(lease)
          yield* sql`
            update runner_job set failures = failures + 1, error = ${words}, result = null, progress = null,
              state = case when failures + 1 >= ${mostFailures}::integer then 4 else 1 end,
              started_at = null, updated_at = now(),
              finished_at = case when failures + 1 >= ${mostFailures}::integer then now() end
            where id = any(${ids}::integer[]) and job_id = ${lease.id} and state = 3`
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const results = sql<{ result: string; needed: boolean }>`
        select r.result, coalesce(j.state not in ('completed', 'failed', 'cancelled'), false) as needed
        from runner_job r left join job j on j.id = r.job_id where r.result is not null`.pipe(
        Effect.map((rows): ReadonlyMap<string, boolean> => new Map(rows.map(({ needed, result }) => [result, needed]))),
        withDatabaseErrors,
        Effect.withSpan("RunnerLadders.results")
      )

      const recall = Effect.gen(function* () {
        const rows = yield* sql<{ id: number }>`
          update job set state = 'waiting', run_at = now(), result = null, updated_at = now()
          where state = 'waiting-children' and result ? 'runnerJobs' returning id`
        const ids = rows.map(({ id }) => id)
        yield* sql`delete from runner_job where job_id = any(${ids}::integer[])`
        return rows.length
      }).pipe(sql.withTransaction, withDatabaseErrors, Effect.withSpan("RunnerLadders.recall"))

      return RunnerLadders.of({ of, give, giveAgain, recall, results })
    })
  )
}
