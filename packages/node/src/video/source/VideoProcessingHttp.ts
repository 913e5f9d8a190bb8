import { VideoStateConflict } from "@kinora/domain/errors/VideoErrors"
import type { VideoProcessing } from "@kinora/domain/wire/VideoProcessing"
import { withoutPaths } from "@kinora/media/work/FailureCause"
import type { ProcessingStanding } from "@kinora/storage/video/write/VideoProcessingRows"
import { VideoProcessingRows } from "@kinora/storage/video/write/VideoProcessingRows"
import { Effect, Layer, Option } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { EditableVideos } from "../edit/EditableVideos.ts"
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
export const layer = apiGroup(
  "videoProcessing",
  Effect.fnUntraced(function* (handlers) {
    const editable = yield* EditableVideos
    const rows = yield* VideoProcessingRows

    return handlers.handleAll({
      getVideoProcessing: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const { video } = yield* editable.open(params.id, request)
            return wire(yield* rows.find(video.id))
          })
        ),
      retryVideoProcessing: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const { video } = yield* editable.open(params.id, request)
            if (yield* rows.retry(video.id, transcodingJob({ videoId: video.id }))) return
            return yield* new VideoStateConflict({ reason: "Nothing of this video has failed" })
          })
        )
    } satisfies Answers<"videoProcessing">)
  })
).pipe(Layer.provide(VideoProcessingRows.layer))
