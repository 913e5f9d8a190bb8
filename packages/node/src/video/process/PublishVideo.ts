import { browserPlayable } from "@kinora/media/playable/BrowserPlayable"
import { Remux } from "@kinora/media/remux/Remux"
import type { Encoded } from "@kinora/media/transcode/Encoded"
import { fileNames } from "@kinora/media/transcode/FileNames"
import type { ClaimedJob } from "@kinora/storage/platform/jobs/Job"
import { Context, Effect, Layer, Schema } from "effect"
import { shapeOf } from "./SourceShape.ts"
import { type Attempt, Attempts } from "./Attempts.ts"
import type { Finished } from "./FinishedFiles.ts"
import { type JobFailure, ProcessingFailed, toolFailed } from "./Outcome.ts"
import { PublishPayload, storyboardJob, transcodingJob } from "./ProcessingJobs.ts"
import { ProcessingSettings } from "./ProcessingSettings.ts"
import { SourceFiles } from "./SourceFiles.ts"
import { reached } from "./Steps.ts"
import { VideoPictures, wantsPictures } from "./VideoPictures.ts"

const decodePayload = Schema.decodeUnknownEffect(PublishPayload)

const make = Effect.gen(function* () {
  const settings = yield* ProcessingSettings
  const attempts = yield* Attempts
  const sources = yield* SourceFiles
  const remux = yield* Remux
  const pictures = yield* VideoPictures

  /** The source in a form that browsers can play now. Undefined if that needs the ladder. */
  const playable = Effect.fnUntraced(function* ({ folder, info, source, token, video }: Attempt) {
    if (settings.transcoding && (video.waitTranscoding || !browserPlayable(info).playable)) return undefined
    const options = {
      source,
      info,
      directory: folder,
      names: fileNames(token),
      hls: settings.transcoding && settings.hls,
      webVideo: settings.webVideos || !settings.transcoding,
      splitAudio: settings.splitAudio
    }
    if (!settings.transcoding) return yield* Effect.mapError(remux.asItIs(options), toolFailed(2))
    return yield* Effect.catch(remux.remux(options), (error): Effect.Effect<Encoded | undefined> =>
      Effect.as(
        Effect.logWarning("The source cannot be published as it is. The video waits for its renditions.", error),
        undefined
      )
    )
  })

  const work = Effect.fnUntraced(function* (attempt: Attempt): Effect.fn.Return<Finished, JobFailure> {
    const { info, video } = attempt
    const [thumbnails, remuxed] = yield* Effect.all([pictures.make(attempt), playable(attempt)], { concurrency: 2 })
    // A file without any decodable frame is damaged: the ladder job will report it.
    const decodable = thumbnails !== undefined || !wantsPictures(video)
    const ready = decodable || !settings.transcoding ? remuxed : undefined
    // While the renditions of another source are shown, so are its thumbnails.
    const waits = ready === undefined && !video.shown && video.playable
    const sheet = settings.storyboards ? [storyboardJob({ videoId: video.id, source: video.sourceFilename })] : []
    return {
      encoded: ready,
      thumbnails: waits ? undefined : thumbnails,
      shape: ready === undefined || video.shown ? undefined : shapeOf(info),
      publish: ready !== undefined,
      dropSource: !settings.transcoding && !settings.keepOriginal,
      next: settings.transcoding ? [transcodingJob({ videoId: video.id })] : sheet
    }
  })

  const run = Effect.fn("PublishVideo.run")(function* (job: ClaimedJob) {
    const { uploadId, videoId } = yield* Effect.mapError(
      decodePayload(job.payload),
      (error) => new ProcessingFailed({ message: error.message, final: true })
    )
    const published = yield* attempts.run(job, {
      step: "publish",
      videoId,
      fromRenditions: false,
      fetch: (filename) =>
        Effect.andThen(uploadId === null ? Effect.void : sources.adopt(uploadId, filename), reached("publish:adopted")),
      make: work
    })
    if (published) yield* Effect.logInfo(`Video ${videoId} is published as uploaded`)
  })

  return PublishVideo.of({ run })
})

/**
 * The first job after an upload: thumbnails, publication if the source plays in browsers as it is, and the ladder as
 * the next job. Without transcoding, the remuxed source is the only file.
 */
export class PublishVideo extends Context.Service<
  PublishVideo,
  { readonly run: (job: ClaimedJob) => Effect.Effect<void, JobFailure> }
>()("@kinora/node/processing/PublishVideo") {
  static readonly layer = Layer.effect(PublishVideo, make)
}
