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
 * The storyboard of a video, made by a runner. Its job stands apart from the ladder's: runners that do not know storyboards
 * hold no rendition back.
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
          return yield* local.attempt(job, ({ info, video }) => {
            const plan = sheetPlan({ info, video }, settings.origin)
            const finished = onlyStoryboard(undefined)
            return Effect.succeed(
              plan === undefined ? finished : { ...finished, end: (lease) => ladders.give(lease, [plan]) }
            )
          })
        }
        const [part] = parts
        if (part?.state !== completed) return yield* local.run(job)
        const work = local.attempt(job, (attempt) => {
          const { sourceFilename } = attempt.video
          const isOutdated = sourceFilename !== null && sourceFilename !== part.source
          return Effect.map(isOutdated ? Effect.undefined : results.sheet(part, attempt), onlyStoryboard)
        })
        // Once it is in use, nobody else comes soon to take the result away.
        yield* Effect.onExit(work, (exit) => (Exit.isSuccess(exit) ? results.clear(parts) : Effect.void))
      })

      return RemoteStoryboard.of({ run })
    })
  )
}
