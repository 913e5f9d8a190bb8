import type { ClaimedJob } from "@kinora/storage/platform/jobs/Job"
import { RunnerLadders } from "@kinora/storage/runner/RunnerLadders"
import { Context, Effect, Exit, Layer } from "effect"
import { type JobFailure } from "../video/process/Outcome.ts"
import { ProcessingSettings } from "../video/process/ProcessingSettings.ts"
import { onlyStoryboard, StoryboardVideo } from "../video/process/StoryboardVideo.ts"
import { sheetPlan } from "./job/RunnerPlan.ts"
import { LadderResults } from "./LadderResults.ts"

const completed = 3

/**
 * Makes the storyboard of a video with a runner. Its job is separate from the ladder's, so that runners without
 * storyboard support do not delay renditions.
 */
export class RemoteStoryboard extends Context.Service<
  RemoteStoryboard,
  { readonly run: (job: ClaimedJob) => Effect.Effect<void, JobFailure> }
>()("@kinora/node/runners/RemoteStoryboard") {
  static readonly layer = Layer.effect(
    RemoteStoryboard,
    Effect.gen(function* () {
      const settings = yield* ProcessingSettings
      const ladders = yield* RunnerLadders
      const results = yield* LadderResults
      const local = yield* StoryboardVideo

      const run = Effect.fn("RemoteStoryboard.run")(function* (job: ClaimedJob): Effect.fn.Return<void, JobFailure> {
        const { given, parts } = yield* ladders.of(job.id)
        if (given === null) {
          return yield* local.attempt(job, (attempt) => {
            const plan = sheetPlan(attempt, settings.origin)
            // Runners make none of audio: it takes no time.
            if (plan === undefined) return local.make(attempt)
            return Effect.succeed({ ...onlyStoryboard(undefined), end: (lease) => ladders.give(lease, [plan]) })
          })
        }
        const [part] = parts
        if (part?.state !== completed) return yield* local.run(job)
        const work = local.attempt(job, (attempt) => {
          const { sourceFilename } = attempt.video
          const isOutdated = sourceFilename !== null && sourceFilename !== part.source
          return Effect.map(isOutdated ? Effect.undefined : results.sheet(part, attempt), onlyStoryboard)
        })
        // Once the result is in use, it is removed here: the next sweep may be far away.
        yield* Effect.onExit(work, (exit) => (Exit.isSuccess(exit) ? results.clear(parts) : Effect.void))
      })

      return RemoteStoryboard.of({ run })
    })
  )
}
