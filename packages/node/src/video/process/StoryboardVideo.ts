import { Storyboard } from "@kinora/media/images/Storyboard"
import { storyboardPlan } from "@kinora/media/images/StoryboardPlan"
import type { ClaimedJob } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { Context, Effect, Layer, Schema } from "effect"
import { join } from "node:path"
import { type Attempt, Attempts } from "./Attempts.ts"
import type { Finished } from "./FinishedFiles.ts"
import { type JobFailure, ProcessingFailed, toolFailed } from "./Outcome.ts"
import { StoryboardPayload } from "./ProcessingJobs.ts"
import { SourceOf } from "./SourceOf.ts"
import { previewSize } from "./VideoPictures.ts"

const decodePayload = Schema.decodeUnknownEffect(StoryboardPayload)

/** The result of a storyboard job. Without a storyboard the job succeeds all the same. */
export const onlyStoryboard = (storyboard: Finished["storyboard"]): Finished => ({
  storyboard,
  publish: false,
  dropSource: false
})

/** The storyboard of a video, if it is not made with the ladder: without transcoding, or with runners. */
export class StoryboardVideo extends Context.Service<
  StoryboardVideo,
  {
    /** Makes it on this node. */
    readonly run: (job: ClaimedJob) => Effect.Effect<void, JobFailure>
    /** Makes it in an attempt: that of audio shows the picture of the video, and there is none without one. */
    readonly make: (attempt: Attempt) => Effect.Effect<Finished, JobFailure>
    /** Runs an attempt of such a job. A video works without a storyboard, so only an outage fails the job. */
    readonly attempt: (
      job: ClaimedJob,
      make: (attempt: Attempt, payload: StoryboardPayload) => Effect.Effect<Finished, JobFailure>
    ) => Effect.Effect<void, JobFailure>
  }
>()("@kinora/node/processing/StoryboardVideo") {
  static readonly layer = Layer.effect(
    StoryboardVideo,
    Effect.gen(function* () {
      const attempts = yield* Attempts
      const board = yield* JobBoard
      const storyboards = yield* Storyboard
      const sources = yield* SourceOf

      const attempt = Effect.fn("StoryboardVideo.attempt")(function* (
        job: ClaimedJob,
        make: (attempt: Attempt, payload: StoryboardPayload) => Effect.Effect<Finished, JobFailure>
      ) {
        const work = Effect.gen(function* () {
          const payload = yield* Effect.mapError(
            decodePayload(job.payload),
            (error) => new ProcessingFailed({ message: error.message, final: true })
          )
          yield* attempts.run(job, {
            step: "storyboard",
            videoId: payload.videoId,
            fromRenditions: true,
            // The storyboard of a source that is not shown yet is made later, when it is.
            make: (one) => (one.video.shown ? make(one, payload) : Effect.succeed(onlyStoryboard(undefined)))
          })
        })
        yield* Effect.catchTag(work, ["ProcessingFailed", "VideoChanged", "InsufficientStorage"], (error) =>
          Effect.andThen(Effect.logWarning("No storyboard could be made", error), board.complete(job.lease))
        )
      })

      /** The picture that audio is shown with. */
      const still = Effect.fnUntraced(function* ({ folder, info, job, token, video }: Attempt) {
        if (video.previewFilename === null) return onlyStoryboard(undefined)
        const path = yield* sources.object({ bucket: "thumbnails", name: video.previewFilename }, folder)
        const made = storyboards.still({
          picture: { path, ...previewSize },
          duration: info.duration,
          path: join(folder, `${token}.jpg`)
        })
        return onlyStoryboard(yield* Effect.mapError(made, toolFailed(job.attempt)))
      })

      const make = Effect.fnUntraced(function* (attempt: Attempt) {
        const { folder, info, job, source, token } = attempt
        const plan = storyboardPlan(info)
        if (plan === undefined) return yield* still(attempt)
        const made = storyboards.create({ source, info, plan, path: join(folder, `${token}.jpg`) })
        return onlyStoryboard(yield* Effect.mapError(made, toolFailed(job.attempt)))
      })

      return StoryboardVideo.of({ attempt, make, run: (job) => attempt(job, make) })
    })
  )
}
