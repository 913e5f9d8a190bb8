import { ChannelActivityAction } from "@kinora/domain/enums/ChannelActivity"
import { VideoState } from "@kinora/domain/enums/VideoState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { recordVideoActivity } from "../../people/collaborator/VideoActivities.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import type { NewJob } from "../../platform/jobs/Job.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import type { UploadResult } from "../upload/UploadSession.ts"
import type { NewSource } from "./NewVideo.ts"
import { dropSources } from "./SourceRows.ts"
import { UploadGone } from "./VideoCreation.ts"
import { addSource, keepSource } from "./VideoDetails.ts"
import { lockVideo } from "./VideoFiles.ts"
import { type Standing, standingOf } from "../work/VideoWork.ts"

/** The source of the video cannot be replaced at this moment. */
export class SourceRefused extends Data.TaggedError("SourceRefused")<{
  readonly standing: Exclude<Standing, "free">
}> {}

/** A completely uploaded file, and how it is used. */
export interface ReplacingSource {
  readonly uploadId: string
  readonly videoId: number
  /** The account that replaces it, for the channel's activity log. */
  readonly accountId: number
  readonly source: NewSource
  /** The first job for it. */
  readonly job: NewJob
  /** How long a repeated last request of the upload gets the same answer. */
  readonly replaySeconds: number
}

/** Result of a request to delete a source file. `last`: refused, since the video would have nothing to play. */
export type SourceRemoval = "removed" | "missing" | "last" | "working"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard

  const replaceBy = Effect.fn("SourceReplacement.replaceBy")(
    function* ({ accountId, job, replaySeconds, source, uploadId, videoId }: ReplacingSource) {
      const [session] = yield* sql<{ result: UploadResult | null }>`
        select result from upload_session where id = ${uploadId} and video_id = ${videoId} for update
      `
      if (session === undefined) return yield* new UploadGone({ uploadId })
      if (session.result !== null) {
        yield* keepSource(sql, source)
        return session.result
      }
      const video = yield* lockVideo(sql, videoId)
      const standing = yield* standingOf(sql, videoId)
      if (video === undefined || standing !== "free") {
        return yield* new SourceRefused({ standing: standing === "free" ? "missing" : standing })
      }
      yield* dropSources(sql, videoId)
      yield* addSource(sql, videoId, source)
      const republishes = video.state === VideoState.published
      yield* sql`
        update video_source set shown = false, republishes = ${republishes}
        where video_id = ${videoId} and filename = ${source.filename}
      `
      yield* sql`
        update video set state = ${VideoState.toTranscode}, input_file_updated_at = now(), updated_at = now()
        where id = ${videoId}
      `
      yield* recordVideoActivity(sql, { videoId, accountId, action: ChannelActivityAction.updateSourceFile })
      yield* jobs.enqueue(job)
      const result: UploadResult = { id: videoId, uuid: video.uuid }
      yield* sql`
        update upload_session set state = 'done', received = size, result = ${JSON.stringify(result)}::text::jsonb,
          result_video_id = ${videoId}, updated_at = now(), expires_at = now() + make_interval(secs => ${replaySeconds})
        where id = ${uploadId}
      `
      return result
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const removeFile = Effect.fn("SourceReplacement.removeFile")(
    function* (videoId: number) {
      const video = yield* lockVideo(sql, videoId)
      if (video === undefined) return "missing"
      const [now] = yield* sql<{ kept: boolean; playable: boolean }>`
        select exists (select 1 from video_source where video_id = ${videoId} and filename is not null) as kept,
          exists (
            select 1 from video_file f left join streaming_playlist p on p.id = f.streaming_playlist_id
            where f.video_id = ${videoId} or p.video_id = ${videoId}
          ) as playable
      `
      if (!now!.kept) return "missing"
      if ((yield* standingOf(sql, videoId)) === "working") return "working"
      if (!now!.playable) return "last"
      yield* dropSources(sql, videoId)
      // A source that was never shown is dropped: the video still shows the one before.
      yield* sql`
        delete from video_source s where s.video_id = ${videoId} and not s.shown
          and exists (select 1 from video_source o where o.video_id = ${videoId} and o.shown)
      `
      yield* sql`update video set updated_at = now() where id = ${videoId}`
      return "removed"
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  return SourceReplacement.of({
    standing: (videoId) => withDatabaseErrors(standingOf(sql, videoId)),
    replaceBy,
    removeFile
  })
})

/**
 * Replaces a video's source by an uploaded file. The video keeps everything else: schedule, privacy, statistics and
 * comments, and its renditions until those of the new source exist.
 */
export class SourceReplacement extends Context.Service<
  SourceReplacement,
  {
    readonly standing: (videoId: number) => Effect.Effect<Standing, DatabaseUnavailable>
    /**
     * Writes the new source, the removal of the old file, the state and the first job in one transaction. If repeated
     * for the same upload, it returns the same answer and does nothing.
     */
    readonly replaceBy: (
      source: ReplacingSource
    ) => Effect.Effect<UploadResult, UploadGone | SourceRefused | DatabaseUnavailable>
    /** Deletes the source file. Its metadata stays. */
    readonly removeFile: (videoId: number) => Effect.Effect<SourceRemoval, DatabaseUnavailable>
  }
>()("@kinora/storage/videos/writes/SourceReplacement") {
  static readonly layer = Layer.effect(SourceReplacement, make)
}
