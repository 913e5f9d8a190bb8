import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoStateConflict } from "@kinora/domain/errors/VideoErrors"
import type { VideoProcessing } from "@kinora/domain/wire/VideoProcessing"
import { withoutPaths } from "@kinora/media/work/FailureCause"
import { LadderRetries } from "@kinora/storage/runner/LadderRetries"
import { type ProcessingStanding, VideoProcessingRows } from "@kinora/storage/video/write/VideoProcessingRows"
import { Context, Effect, Layer, Option } from "effect"
import { transcodingJob } from "../process/ProcessingJobs.ts"

/** What ffmpeg says may be long. */
const longestError = 1000

const none: VideoProcessing = {
  state: "done",
  jobType: null,
  error: null,
  attempts: 0,
  maxAttempts: 0,
  progress: null,
  nextAttemptAt: null
}

const stateOf = (state: string): VideoProcessing["state"] =>
  state === "active" || state === "delayed" || state === "failed" ? state : "waiting"

const wire = ({ failed, job }: ProcessingStanding): VideoProcessing =>
  Option.match(job, {
    onNone: () => (failed ? { ...none, state: "failed" } : none),
    onSome: ({ attempts, error, maxAttempts, progress, runAt, state, type }) => ({
      state: stateOf(state),
      jobType: type,
      error: error === null ? null : withoutPaths(error).slice(0, longestError),
      attempts,
      maxAttempts,
      progress: progress === null ? null : Math.round(progress),
      nextAttemptAt: state === "delayed" ? runAt.toISOString() : null
    })
  })

/** How the work on the files of a video stands, and trying again what failed. */
export class ProcessingStatus extends Context.Service<
  ProcessingStatus,
  {
    readonly of: (videoId: number) => Effect.Effect<VideoProcessing, DatabaseUnavailable>
    /** Begins again what failed, and lets what is to be tried later be tried now. */
    readonly retry: (videoId: number) => Effect.Effect<void, VideoStateConflict | DatabaseUnavailable>
  }
>()("@kinora/node/video/source/ProcessingStatus") {
  static readonly layer = Layer.effect(
    ProcessingStatus,
    Effect.gen(function* () {
      const rows = yield* VideoProcessingRows
      const ladders = yield* LadderRetries

      const retry = Effect.fn("ProcessingStatus.retry")(function* (videoId: number) {
        const begun = yield* rows.retry(videoId, transcodingJob({ videoId }), ladders.retry)
        if (!begun) return yield* new VideoStateConflict({ reason: "Nothing of this video has failed" })
      })

      return ProcessingStatus.of({ of: (videoId) => Effect.map(rows.find(videoId), wire), retry })
    })
  )
}
