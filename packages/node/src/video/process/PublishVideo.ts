import type { ClaimedJob } from "@kinora/storage/platform/jobs/Job"
import type { ProcessingVideo } from "@kinora/storage/video/write/ProcessingVideos"
import { Context, Effect, Layer, Schema } from "effect"
import { shapeOf } from "./SourceShape.ts"
import { type Attempt, Attempts } from "./Attempts.ts"
import type { Finished } from "./FinishedFiles.ts"
import { type JobFailure, ProcessingFailed } from "./Outcome.ts"
import { PublishPayload, storyboardJob, transcodingJob } from "./ProcessingJobs.ts"
import { PlayableSource } from "./PlayableSource.ts"
import { ProcessingSettings } from "./ProcessingSettings.ts"
import { SourceFiles } from "./SourceFiles.ts"
import { reached } from "./Steps.ts"
import { VideoPictures, wantsPictures } from "./VideoPictures.ts"

const decodePayload = Schema.decodeUnknownEffect(PublishPayload)

const make = Effect.gen(function* () {
  const settings = yield* ProcessingSettings
  const attempts = yield* Attempts
  const sources = yield* SourceFiles
  const playable = yield* PlayableSource
  const pictures = yield* VideoPictures

  const afterwards = ({ id, sourceFilename }: ProcessingVideo) => ({
    dropSource: !settings.transcoding && !settings.keepOriginal,
    next: settings.transcoding
      ? [transcodingJob({ videoId: id })]
      : settings.storyboards
        ? [storyboardJob({ videoId: id, source: sourceFilename })]
        : []
  })

  const work = Effect.fnUntraced(function* (attempt: Attempt): Effect.fn.Return<Finished, JobFailure> {
    const { info, video } = attempt
    const waitsForLadder = settings.transcoding && video.waitTranscoding
    const remux = waitsForLadder ? Effect.undefined : playable.make(attempt)
    const [thumbnails, remuxed] = yield* Effect.all([pictures.make(attempt), remux], { concurrency: 2 })
    // A file without any decodable frame is damaged: the ladder job will report it.
    const decodable = thumbnails !== undefined || !wantsPictures(video)
    const ready = decodable || !settings.transcoding ? remuxed : undefined
    // While the renditions of another source are shown, so are its thumbnails.
    const waits = ready === undefined && !video.shown && video.playable
    return {
      encoded: ready,
      thumbnails: waits ? undefined : thumbnails,
      shape: ready === undefined || video.shown ? undefined : shapeOf(info),
      publish: ready !== undefined,
      ...afterwards(video)
    }
  })

  /** The video was created with its first files: what is left are its source and the jobs that follow. */
  const rest = ({ video }: Attempt): Finished => ({ publish: false, ...afterwards(video) })

  const run = Effect.fn("PublishVideo.run")(function* (job: ClaimedJob) {
    const {
      published = false,
      uploadId,
      videoId
    } = yield* Effect.mapError(
      decodePayload(job.payload),
      (error) => new ProcessingFailed({ message: error.message, final: true })
    )
    const publishes = yield* attempts.run(job, {
      step: "publish",
      videoId,
      fromRenditions: false,
      fetch: (filename) =>
        Effect.andThen(uploadId === null ? Effect.void : sources.adopt(uploadId, filename), reached("publish:adopted")),
      make: (attempt) => (published ? Effect.succeed(rest(attempt)) : work(attempt))
    })
    if (publishes) yield* Effect.logInfo(`Video ${videoId} is published as uploaded`)
  })

  return PublishVideo.of({ run })
})

/**
 * The first job after an upload, unless that made them at once: thumbnails, publication if the source plays in browsers as it is, and the ladder as
 * the next job. Without transcoding, the remuxed source is the only file.
 */
export class PublishVideo extends Context.Service<
  PublishVideo,
  { readonly run: (job: ClaimedJob) => Effect.Effect<void, JobFailure> }
>()("@kinora/node/processing/PublishVideo") {
  static readonly layer = Layer.effect(PublishVideo, make)
}
