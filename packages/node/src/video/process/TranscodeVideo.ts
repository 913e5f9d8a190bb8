import { Storyboard } from "@kinora/media/images/Storyboard"
import type { PictureFile } from "@kinora/media/images/Pictures"
import { ladder } from "@kinora/media/ladder/Ladder"
import type { Progress } from "@kinora/media/process/FfmpegProgress"
import { fileNames } from "@kinora/media/transcode/FileNames"
import { Transcode } from "@kinora/media/transcode/Transcode"
import type { ClaimedJob } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import type { RenditionKind } from "@kinora/storage/video/write/NewRenditions"
import type { ProcessingVideo } from "@kinora/storage/video/write/ProcessingVideos"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { join } from "node:path"
import { shapeOf } from "./SourceShape.ts"
import { type Attempt, Attempts } from "./Attempts.ts"
import { EncodeSlots } from "./EncodeSlots.ts"
import type { Finished } from "./FinishedFiles.ts"
import { type JobFailure, ProcessingFailed, toolFailed } from "./Outcome.ts"
import { TranscodingPayload } from "./ProcessingJobs.ts"
import { ProcessingSettings, type ProcessingSettingsShape } from "./ProcessingSettings.ts"
import { previewSize, VideoPictures } from "./VideoPictures.ts"

const decodePayload = Schema.decodeUnknownEffect(TranscodingPayload)

/** Minimum milliseconds between two progress reports. */
const reportEvery = 2000

/** What to encode from a source. If only one kind was requested, just that one, whatever the settings say. */
export const orderOf = (
  settings: Pick<ProcessingSettingsShape, "hls" | "webVideos" | "storyboards">,
  video: Pick<ProcessingVideo, "shown" | "storyboard">,
  asked: RenditionKind | undefined
) => {
  // When the source was replaced, everything is made again, so that nothing of the old one remains.
  const only = video.shown ? asked : undefined
  return {
    only,
    hls: only === undefined ? settings.hls : only === "hls",
    webVideo: only === undefined ? settings.webVideos : only === "web-video",
    storyboard: settings.storyboards && (only === undefined || !video.storyboard)
  }
}

const make = Effect.gen(function* () {
  const settings = yield* ProcessingSettings
  const attempts = yield* Attempts
  const board = yield* JobBoard
  const objects = yield* ObjectStore
  const pictures = yield* VideoPictures
  const slots = yield* EncodeSlots
  const transcode = yield* Transcode
  const storyboards = yield* Storyboard

  /** Writes progress to the job from time to time. A failed report does not affect the encode. */
  const reporter = ({ job, video }: Attempt) => {
    let reportedAt = 0
    return Effect.fnUntraced(function* ({ fraction, speed }: Progress) {
      const now = yield* Clock.currentTimeMillis
      if (now - reportedAt < reportEvery) return
      reportedAt = now
      const percent = Math.floor(fraction * 100)
      yield* Effect.logDebug(`Video ${video.uuid}: ${percent} % encoded, ${speed.toFixed(2)} × real time`)
      yield* Effect.ignore(board.progress(job.lease, percent), { log: "Debug" })
    })
  }

  /** The image shown while audio plays: the one just made, else the one the video has. */
  const stillOf = Effect.fnUntraced(function* (
    { folder, video }: Attempt,
    made: ReadonlyArray<PictureFile> | undefined
  ) {
    const best = made?.toSorted((a, b) => b.width - a.width)[0]?.path
    if (best !== undefined || video.previewFilename === null) return best
    const key = { bucket: "thumbnails", name: video.previewFilename } as const
    return yield* Effect.catchTag(objects.localFile(key, folder), "ObjectNotFound", () => Effect.succeed(undefined))
  })

  const work = Effect.fnUntraced(function* (
    attempt: Attempt,
    asked: RenditionKind | undefined
  ): Effect.fn.Return<Finished, JobFailure> {
    const { folder, info, source, token, video } = attempt
    const { hls, only, storyboard, webVideo } = orderOf(settings, video, asked)
    const thumbnails = video.shown ? undefined : yield* pictures.make(attempt)
    const picture = info.video === undefined ? yield* stillOf(attempt, thumbnails) : undefined
    const { codecs } = settings
    const codec = (yield* transcode.encodes(codecs.codec)) ? codecs.codec : "h264"
    const encoded = yield* transcode
      .transcode({
        source,
        info,
        renditions: ladder(info, settings, { ...codecs, codec }),
        directory: folder,
        names: fileNames(token),
        hls,
        webVideo,
        splitAudio: settings.splitAudio,
        storyboard: storyboard && info.video !== undefined ? join(folder, `${token}.jpg`) : undefined,
        ...(picture === undefined ? {} : { picture }),
        onProgress: reporter(attempt)
      })
      .pipe(slots.within, Effect.mapError(toolFailed(attempt.job.attempt)))
    const sheet =
      storyboard && picture !== undefined
        ? yield* storyboards
            .still({
              picture: { path: picture, ...previewSize },
              duration: info.duration,
              path: join(folder, `${token}.jpg`)
            })
            .pipe(Effect.mapError(toolFailed(attempt.job.attempt)))
        : undefined
    return {
      encoded,
      storyboard: sheet,
      thumbnails,
      only,
      shape: video.shown ? undefined : shapeOf(info),
      publish: true,
      dropSource: !settings.keepOriginal
    }
  })

  const run = Effect.fn("TranscodeVideo.run")(function* (job: ClaimedJob) {
    const { only, videoId } = yield* Effect.mapError(
      decodePayload(job.payload),
      (error) => new ProcessingFailed({ message: error.message, final: true })
    )
    yield* attempts.run(job, {
      step: "transcode",
      videoId,
      fromRenditions: true,
      make: (attempt) => work(attempt, only)
    })
    yield* Effect.logInfo(`Video ${videoId} is fully transcoded`)
  })

  return TranscodeVideo.of({ run })
})

/**
 * The ladder of a video: every rendition and the storyboard in one pass. They replace all existing ones, or those of
 * one kind.
 */
export class TranscodeVideo extends Context.Service<
  TranscodeVideo,
  { readonly run: (job: ClaimedJob) => Effect.Effect<void, JobFailure> }
>()("@kinora/node/processing/TranscodeVideo") {
  static readonly layer = Layer.effect(TranscodeVideo, make)
}
