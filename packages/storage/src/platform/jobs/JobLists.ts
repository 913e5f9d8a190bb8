import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../database/DatabaseErrors.ts"
import { type Job, type JobState, jobStates } from "./Job.ts"

export interface JobQuery {
  /** All states when absent. */
  readonly states?: ReadonlyArray<JobState> | undefined
  /** Waiting jobs if the board is paused, else none. */
  readonly paused?: boolean | undefined
  readonly type?: string | undefined
  readonly start: number
  readonly count: number
  /** By creation; newest first by default. */
  readonly oldestFirst?: boolean | undefined
}

export interface JobCount {
  readonly type: string
  readonly state: JobState
  readonly count: number
}

/** The job board, as operators see it. */
export class JobLists extends Context.Service<
  JobLists,
  {
    list(
      query: JobQuery
    ): Effect.Effect<{ readonly total: number; readonly data: ReadonlyArray<Job> }, DatabaseUnavailable>
    /** Number of jobs of each type and state. */
    readonly counts: Effect.Effect<ReadonlyArray<JobCount>, DatabaseUnavailable>
  }
>()("@kinora/storage/platform/jobs/JobLists") {
  static readonly layer = Layer.effect(
    JobLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const matching = (query: JobQuery) =>
        sql.and([
          query.type === undefined ? sql`true` : sql`type = ${query.type}`,
          query.paused === true ? sql`state = 'waiting' and exists (select 1 from job_pause)` : sql`true`
        ])

      // Reads state by state, so that only the newest of each are read from the index: boards are long.
      const list = Effect.fn("JobLists.list")(function* (query: JobQuery) {
        const states = query.states ?? jobStates
        const order = sql.literal(query.oldestFirst === true ? "created_at, id" : "created_at desc, id desc")
        // Only a few distinct numbers, so that there are few prepared statements, each with a plan for its limit.
        const max = sql.literal(String(2 ** Math.ceil(Math.log2(Math.max(16, query.start + query.count)))))
        const data = yield* sql<Job>`
            select id, uuid, type, state, payload, priority, video_id as "videoId", attempts,
              max_attempts as "maxAttempts", progress, result, error, created_at as "createdAt",
              started_at as "startedAt", finished_at as "finishedAt"
            from unnest(${states}::text[]) wanted (name) cross join lateral (
              select * from job where state = wanted.name and ${matching(query)} order by ${order}
              limit ${max}
            ) j order by ${order} limit ${query.count} offset ${query.start}`
        const totals = yield* sql<{ total: number }>`
          select count(*) as total from job where state = any(${states}::text[]) and ${matching(query)}`
        return { total: totals[0]!.total, data }
      }, withDatabaseErrors)

      const counts = withDatabaseErrors(
        sql<JobCount>`select type, state, count(*) as count from job group by type, state order by type, state`
      )

      return JobLists.of({ list, counts })
    })
  )
}
