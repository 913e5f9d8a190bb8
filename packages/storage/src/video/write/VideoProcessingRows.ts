import { VideoState } from "@kinora/domain/enums/VideoState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import type { JobState, NewJob } from "../../platform/jobs/Job.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import { lockVideo } from "./VideoFiles.ts"
import { pipelineTypes, storyboardType } from "../work/VideoWork.ts"

/** The job that says how far the files of a video are. */
export interface ProcessingJob {
  readonly id: number
  readonly type: string
  readonly state: JobState
  readonly error: string | null
  readonly attempts: number
  readonly maxAttempts: number
  /** 0 to 100. */
  readonly progress: number | null
  readonly runAt: Date
}

interface Row extends ProcessingJob {
  readonly payload: unknown
  readonly priority: number
  readonly dedupeKey: string | null
}

/** What is known of the work on a video's files. `job` is absent when it is not known why it failed, or nothing is left to do. */
export interface ProcessingStanding {
  readonly failed: boolean
  readonly job: Option.Option<ProcessingJob>
}

/** Lets runners go on with a job, in the transaction of the caller; false where nothing is left of what they had done. */
export type RetryByRunners = (jobId: number) => Effect.Effect<boolean, DatabaseUnavailable>

const isOpen = (job: Row): boolean => job.state !== "completed" && job.state !== "cancelled"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard

  /** The last job of the pipeline, and that of the storyboard if the video has none, unless they ended well. */
  const openJobs = Effect.fnUntraced(function* (videoId: number) {
    const last = (types: ReadonlyArray<string>) => sql<Row>`
      select id, type, state, error, attempts, max_attempts as "maxAttempts", progress, run_at as "runAt", payload, priority,
        dedupe_key as "dedupeKey"
      from job where video_id = ${videoId} and type = any(${types}::text[]) and state <> 'cancelled'
      order by id desc limit 1`
    const [pipeline] = yield* last(pipelineTypes)
    const hasStoryboard = (yield* sql`select 1 from storyboard where video_id = ${videoId}`).length > 0
    const [storyboard] = hasStoryboard ? [] : yield* last([storyboardType])
    return [pipeline, storyboard].filter((job): job is Row => job !== undefined && isOpen(job))
  })

  const find = Effect.fn("VideoProcessingRows.find")(function* (videoId: number) {
    const open = yield* openJobs(videoId)
    const job = open.find(({ state }) => state === "failed") ?? open[0]
    if (job !== undefined) return { failed: job.state === "failed", job: Option.some(job) }
    const failed = yield* sql`select 1 from video where id = ${videoId} and state = ${VideoState.transcodingFailed}`
    return { failed: failed.length > 0, job: Option.none() }
  }, withDatabaseErrors)

  const retry = Effect.fn("VideoProcessingRows.retry")(
    function* (videoId: number, ladder: NewJob, retryByRunners: RetryByRunners) {
      const video = yield* lockVideo(sql, videoId)
      if (video === undefined) return false
      const open = yield* openJobs(videoId)
      const isLost = open.length === 0 && video.state === VideoState.transcodingFailed
      const waits = open.filter(({ state }) => state === "delayed")
      const failed = open.filter(({ state }) => state === "failed")
      if (waits.length > 0) {
        yield* sql`
          update job set state = 'waiting', run_at = now(), updated_at = now()
          where id = any(${waits.map(({ id }) => id)}::int[]) and state = 'delayed'`
      }
      const isPipeline = failed.some(({ type }) => type !== storyboardType)
      if (isLost || (isPipeline && video.state === VideoState.transcodingFailed)) {
        yield* sql`update video set state = ${VideoState.toTranscode}, updated_at = now() where id = ${videoId}`
      }
      if (isLost) yield* jobs.enqueue(ladder)
      for (const job of failed) {
        if (yield* retryByRunners(job.id)) continue
        // A new job: names of files contain the job's, and what a killed attempt has left still bears them.
        const { dedupeKey, maxAttempts, payload, priority, type } = job
        yield* jobs.enqueue({ type, payload, videoId, priority, maxAttempts, dedupeKey: dedupeKey ?? undefined })
      }
      return isLost || waits.length > 0 || failed.length > 0
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  return VideoProcessingRows.of({ find, retry })
})

/** How the work on the files of a video stands, and beginning again what failed. */
export class VideoProcessingRows extends Context.Service<
  VideoProcessingRows,
  {
    readonly find: (videoId: number) => Effect.Effect<ProcessingStanding, DatabaseUnavailable>
    /**
     * Begins again what failed, and lets what is to be tried later be tried now. `ladder` is for a video whose failed job is
     * not there any more; `retryByRunners` goes on with what runners had done. False if there is nothing to retry.
     */
    readonly retry: (
      videoId: number,
      ladder: NewJob,
      retryByRunners: RetryByRunners
    ) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/video/write/VideoProcessingRows") {
  static readonly layer = Layer.effect(VideoProcessingRows, make)
}
