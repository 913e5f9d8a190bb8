import { VideoState } from "@kinora/domain/enums/VideoState"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Jobs that make the files of a video (contract: JobType). */
export const pipelineTypes = ["transcoding-job-builder", "video-transcoding"] as const

/** The job that makes a separate storyboard. Nothing depends on it, and no video fails with it. */
export const storyboardType = "generate-video-storyboard"

/** Condition on a job `j`: it makes files of a video and has not ended. */
export const unfinishedWork = (sql: SqlClient) => sql`
  j.type = any(${pipelineTypes}::text[]) and j.state not in ('completed', 'failed', 'cancelled')`

/**
 * Whether work on a video's files may start: `free`; `working` if such work is under way; `live`; `unready` if it still
 * has to be imported, edited or moved; `missing` also for remote videos.
 */
export type Standing = "free" | "working" | "live" | "unready" | "missing"

interface Row {
  readonly state: number
  readonly live: boolean
  readonly working: boolean
}

const settled: ReadonlySet<number> = new Set([VideoState.published, VideoState.transcodingFailed])

/** Reads this state. Exact if the caller's transaction has locked the video. */
export const standingOf = Effect.fnUntraced(function* (sql: SqlClient, videoId: number) {
  const [row] = yield* sql<Row>`
    select v.state, v.is_live as live,
      exists (select 1 from job j where j.video_id = v.id and ${unfinishedWork(sql)}) as working
    from video v where v.id = ${videoId} and not v.remote
  `
  const standing: Standing =
    row === undefined
      ? "missing"
      : row.live
        ? "live"
        : row.working || row.state === VideoState.toTranscode
          ? "working"
          : settled.has(row.state)
            ? "free"
            : "unready"
  return standing
})
