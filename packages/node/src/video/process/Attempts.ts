import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import { Probe } from "@kinora/media/probe/Probe"
import type { ClaimedJob } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { ProcessingVideos, type ProcessingVideo } from "@kinora/storage/video/write/ProcessingVideos"
import { Context, Effect, Layer, Option } from "effect"
import { uuidOf } from "../../platform/ids/DerivedIds.ts"
import { type Finished, FinishedFiles, type FinishedOf } from "./FinishedFiles.ts"
import { type JobFailure, toolFailed } from "./Outcome.ts"
import { SourceOf } from "./SourceOf.ts"
import { WorkFolders } from "./WorkFolders.ts"

/** A video being processed: its source on the local disk, and a folder for the results. */
export interface Attempt {
  readonly job: ClaimedJob
  readonly video: ProcessingVideo
  /** Deleted when the attempt ends. */
  readonly folder: string
  /** Part of the name of every file of this attempt, and of no other. */
  readonly token: string
  /** Absolute path. */
  readonly source: string
  readonly info: MediaInfo
}

/** A job of the pipeline. */
export interface Work {
  readonly step: FinishedOf["step"]
  readonly videoId: number
  /** Ensures that the source is in place. Called with its name. */
  readonly fetch?: (sourceFilename: string) => Effect.Effect<void, JobFailure>
  /** Whether renditions replace the source if there is none. */
  readonly fromRenditions: boolean
  /** Used in file names instead of the number of the attempt. */
  readonly named?: string | undefined
  readonly make: (attempt: Attempt) => Effect.Effect<Finished, JobFailure>
}

/** The common frame of all jobs on a video's files: prepare the input, do the work, and put the result into use. */
export class Attempts extends Context.Service<
  Attempts,
  {
    /** Returns whether this published the video. A job without input, such as one of a deleted video, succeeds. */
    readonly run: (job: ClaimedJob, work: Work) => Effect.Effect<boolean, JobFailure>
  }
>()("@kinora/node/processing/Attempts") {
  static readonly layer = Layer.effect(
    Attempts,
    Effect.gen(function* () {
      const videos = yield* ProcessingVideos
      const board = yield* JobBoard
      const folders = yield* WorkFolders
      const sourceOf = yield* SourceOf
      const probe = yield* Probe
      const finished = yield* FinishedFiles

      const inputOf = Effect.fnUntraced(function* (video: ProcessingVideo, work: Work, folder: string) {
        if (video.sourceFilename !== null) {
          if (work.fetch !== undefined) yield* work.fetch(video.sourceFilename)
          return Option.some(yield* sourceOf.local(video.sourceFilename, folder))
        }
        return work.fromRenditions ? yield* sourceOf.renditions(video, folder) : Option.none<string>()
      })

      const run = Effect.fn("Attempts.run")(function* (
        job: ClaimedJob,
        work: Work
      ): Effect.fn.Return<boolean, JobFailure> {
        const video = Option.getOrUndefined(yield* videos.find(work.videoId))
        return yield* Effect.gen(function* () {
          const folder = yield* folders.make(job)
          const source = video === undefined ? Option.none<string>() : yield* inputOf(video, work, folder)
          if (video === undefined || Option.isNone(source)) {
            yield* board.complete(job.lease)
            return false
          }
          const token = uuidOf(job.uuid, work.named ?? `attempt-${job.attempt}`)
          const info = yield* Effect.mapError(probe.probe(source.value), toolFailed(job.attempt))
          const made = yield* work.make({ job, video, folder, token, source: source.value, info })
          return yield* finished.commit({ step: work.step, lease: job.lease, attempt: job.attempt, video }, made)
        }).pipe(Effect.scoped)
      })

      return Attempts.of({ run })
    })
  )
}
