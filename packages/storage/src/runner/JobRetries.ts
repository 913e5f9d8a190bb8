import { liveJobType } from "@kinora/domain/enums/RunnerJobType"
import { RunnerJobState } from "@kinora/domain/enums/RunnerJobState"
import { VideoState } from "@kinora/domain/enums/VideoState"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { jobEnds } from "./JobEnds.ts"

/** Result of a retry request. `outdated`: nothing waits for the job any more. */
export type Retried = "retried" | "missing" | "not ended" | "outdated"

interface EndedJob {
  readonly type: string
  readonly state: RunnerJobState
  readonly jobId: number | null
  /** What it waited for has ended without a result. */
  readonly parentEnded: boolean
}

interface Ladder {
  readonly id: number
  readonly videoId: number | null
  readonly state: string
  /** Another ladder of the video was begun since, or works now. */
  readonly superseded: boolean
  /** What was cut out for its parts is gone. */
  readonly cutsGone: boolean
}

/** States in which a job ended without a result. */
const unfinished: ReadonlyArray<RunnerJobState> = [
  RunnerJobState.errored,
  RunnerJobState.cancelled,
  RunnerJobState.parentErrored,
  RunnerJobState.parentCancelled
]

/**
 * Begins a job again that failed, was cancelled or ended with its parent, in the caller's transaction: with all of its failures
 * forgotten. A ladder that has failed waits for it again, and for those that ended with it; what was done stays done.
 */
export const retryJob = (sql: SqlClient) => {
  const { lockLadder } = jobEnds(sql)

  const lockVideo = (id: number) =>
    sql`select 1 from video where id = (select video_id from runner_job where id = ${id}) for update`

  const ended = Effect.fnUntraced(function* (id: number) {
    const rows = yield* sql<EndedJob>`
      select r.type, r.state::integer as state, r.job_id as "jobId", exists (
        select from runner_job p where p.id = r.parent_id and p.state = any(${unfinished}::smallint[])
      ) as "parentEnded"
      from runner_job r where r.id = ${id} for update of r`
    return rows[0]
  })

  const ladderOf = Effect.fnUntraced(function* (jobId: number) {
    const rows = yield* sql<Ladder>`
      select j.id, j.video_id as "videoId", j.state, exists (
          select from job o where o.type = j.type and o.video_id = j.video_id
            and (o.id > j.id or o.state not in ('completed', 'failed', 'cancelled'))
        ) as superseded,
        j.finished_at <= now() - interval '1 day' and exists (
          select from runner_job r where r.job_id = j.id and r.type = 'kinora-vod-part-transcoding'
        ) as "cutsGone"
      from job j where j.id = ${jobId}`
    return rows[0]
  })

  const isOutdated = ({ parentEnded }: EndedJob, ladder: Ladder | undefined): boolean => {
    if (ladder?.state === "failed") return ladder.superseded || ladder.cutsGone
    return parentEnded || (ladder !== undefined && ladder.state !== "waiting-children")
  }

  /** A failed ladder waits again, and its video is being processed again. */
  const waitAgain = Effect.fnUntraced(function* ({ id, videoId }: Ladder) {
    yield* sql`
      update video set state = ${VideoState.toTranscode}, updated_at = now()
      where id = ${videoId}::integer and state = ${VideoState.transcodingFailed}`
    yield* sql`
      update job set state = 'waiting-children', attempts = 0, progress = null, error = null, finished_at = null,
        run_at = now(), updated_at = now()
      where id = ${id}`
  })

  /** The job, what else of a failed ladder ended with it, and what waited for any of these. */
  const beginAgain = (id: number, failed: Ladder | undefined) => sql`
    with recursive again as (
      select r.id, r.parent_id from runner_job r
        where r.id = ${id} or (r.job_id = ${failed?.id ?? null}::integer and r.state = any(${unfinished}::smallint[]))
      union
      select c.id, c.parent_id from runner_job c join again a on c.parent_id = a.id
        where c.state in (${RunnerJobState.parentErrored}, ${RunnerJobState.parentCancelled})
    )
    update runner_job r set
      state = case when r.parent_id in (select id from again) or exists (
          select from runner_job p where p.id = r.parent_id and p.state in (${RunnerJobState.pending},
            ${RunnerJobState.processing}, ${RunnerJobState.waitingForParent}, ${RunnerJobState.completing})
        ) then ${RunnerJobState.waitingForParent}::smallint else ${RunnerJobState.pending}::smallint end,
      failures = 0, accepted = 0, error = null, progress = null, result = null, started_at = null, finished_at = null,
      updated_at = now()
    where r.id in (select id from again)`

  return Effect.fnUntraced(function* (id: number): Effect.fn.Return<Retried, SqlError> {
    yield* lockVideo(id)
    yield* lockLadder(id)
    const job = yield* ended(id)
    if (job === undefined) return "missing"
    if (!unfinished.includes(job.state)) return "not ended"
    // The live has gone on without it.
    if (job.type === liveJobType) return "outdated"
    const ladder = job.jobId === null ? undefined : yield* ladderOf(job.jobId)
    if (isOutdated(job, ladder)) return "outdated"
    const failed = ladder?.state === "failed" ? ladder : undefined
    if (failed !== undefined) yield* waitAgain(failed)
    yield* beginAgain(id, failed)
    return "retried"
  })
}
