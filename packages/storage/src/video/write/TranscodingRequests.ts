import { VideoState } from "@kinora/domain/enums/VideoState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import type { NewJob } from "../../platform/jobs/Job.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import { lockVideo } from "./VideoFiles.ts"
import { standingOf, unfinishedWork } from "../work/VideoWork.ts"

/** Result of a request to transcode again. `nothing`: there is no file to transcode. */
export type TranscodingRequest = "queued" | "working" | "live" | "unready" | "missing" | "nothing"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard

  const hasInput = Effect.fnUntraced(function* (videoId: number) {
    const rows = yield* sql`
      select 1 from video_source where video_id = ${videoId} and filename is not null
      union all select 1 from video_file where video_id = ${videoId} and filename is not null
      union all select 1 from streaming_playlist p join video_file f on f.streaming_playlist_id = p.id
        where p.video_id = ${videoId} and f.filename is not null
      limit 1
    `
    return rows.length > 0
  })

  /**
   * Cancels encodes that wait or run. Their workers notice it with their next report. False if the first job is still
   * running.
   */
  const giveUp = Effect.fnUntraced(function* (videoId: number) {
    const looks = yield* sql`
      select 1 from job j where j.video_id = ${videoId} and j.type = 'transcoding-job-builder' and ${unfinishedWork(sql)}
    `
    // It may be about to adopt the uploaded file, which nothing else would do.
    if (looks.length > 0) return false
    yield* sql`
      update job j set state = 'cancelled', finished_at = now(), updated_at = now(), progress = null,
        lease_owner = null, lease_token = null, lease_until = null
      where j.video_id = ${videoId} and ${unfinishedWork(sql)}
    `
    return true
  })

  const request = Effect.fn("TranscodingRequests.request")(
    function* (videoId: number, job: NewJob, force: boolean) {
      const video = yield* lockVideo(sql, videoId)
      if (video === undefined) return "missing"
      const standing = yield* standingOf(sql, videoId)
      if (standing === "live" || standing === "unready") return standing
      if (!(yield* hasInput(videoId))) return "nothing"
      if (standing === "working" && !(force && (yield* giveUp(videoId)))) return "working"
      if (video.state === VideoState.transcodingFailed) {
        yield* sql`update video set state = ${VideoState.toTranscode}, updated_at = now() where id = ${videoId}`
      }
      yield* jobs.enqueue(job)
      return "queued"
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  return TranscodingRequests.of({ request })
})

/** Requests to transcode videos again. */
export class TranscodingRequests extends Context.Service<
  TranscodingRequests,
  {
    /**
     * Queues the job if the video is free for it. A published video stays published with its renditions until the job
     * ends. One whose transcoding failed waits for it again. `force` cancels an encode in progress.
     */
    readonly request: (
      videoId: number,
      job: NewJob,
      force: boolean
    ) => Effect.Effect<TranscodingRequest, DatabaseUnavailable>
  }
>()("@kinora/storage/videos/writes/TranscodingRequests") {
  static readonly layer = Layer.effect(TranscodingRequests, make)
}
