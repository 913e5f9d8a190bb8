import { VideoState } from "@kinora/domain/enums/VideoState"
import { resolutionOf } from "@kinora/media/ladder/Ladder"
import { browserPlayable } from "@kinora/media/playable/BrowserPlayable"
import { fileNames } from "@kinora/media/transcode/FileNames"
import { Join, type JoinedPart } from "@kinora/media/transcode/Join"
import type { ClaimedJob } from "@kinora/storage/platform/jobs/Job"
import { type Ladder, type LadderPart, RunnerLadders } from "@kinora/storage/runner/RunnerLadders"
import { ProcessingVideos, type ProcessingVideo } from "@kinora/storage/video/write/ProcessingVideos"
import { Context, Effect, Layer, Option } from "effect"
import { type Attempt, Attempts } from "../video/process/Attempts.ts"
import type { Finished } from "../video/process/FinishedFiles.ts"
import { type JobFailure, ProcessingFailed, toolFailed } from "../video/process/Outcome.ts"
import { storyboardJob, type TranscodingPayload } from "../video/process/ProcessingJobs.ts"
import { ProcessingSettings } from "../video/process/ProcessingSettings.ts"
import { shapeOf } from "../video/process/SourceShape.ts"
import { orderOf } from "../video/process/TranscodeVideo.ts"
import { VideoPictures } from "../video/process/VideoPictures.ts"
import { LadderResults, type LookedInto } from "./LadderResults.ts"
import { isPart } from "./parts/PartGather.ts"

const completed = 3

const isRendition = (part: LadderPart) =>
  part.state === completed && part.type !== "generate-video-storyboard" && !isPart(part)

/** Whether a video may be published before all its renditions are ready. */
const mayBeEarly = (video: ProcessingVideo): boolean =>
  !video.waitTranscoding || (video.state === VideoState.published && video.shown)

/** Publishes renditions as runners deliver them, while the others are still being made. */
export class EarlyRenditions extends Context.Service<
  EarlyRenditions,
  {
    /**
     * Puts the finished renditions into use if the video loses nothing by it. The job keeps waiting for the rest.
     * `refuse` gives out the jobs of unusable results again, and ends the lease.
     */
    readonly publish: (
      job: ClaimedJob,
      payload: TranscodingPayload,
      ladder: Ladder,
      refuse: (attempt: Attempt, useless: LookedInto["useless"]) => Effect.Effect<never, JobFailure>
    ) => Effect.Effect<void, JobFailure>
  }
>()("@kinora/node/runners/EarlyRenditions") {
  static readonly layer = Layer.effect(
    EarlyRenditions,
    Effect.gen(function* () {
      const settings = yield* ProcessingSettings
      const attempts = yield* Attempts
      const videos = yield* ProcessingVideos
      const ladders = yield* RunnerLadders
      const results = yield* LadderResults
      const pictures = yield* VideoPictures
      const joining = yield* Join

      /** The source, while it is published as it is and the rendition of its own resolution is not ready. */
      const asItIs = ({ info, source, video }: Attempt, made: ReadonlyArray<JoinedPart>): ReadonlyArray<JoinedPart> => {
        const resolution = resolutionOf(info)
        const stands = video.playable && video.shown && !video.waitTranscoding && browserPlayable(info).playable
        return stands && made.every((part) => part.resolution !== resolution)
          ? [{ resolution, file: source, info }]
          : []
      }

      const make = Effect.fnUntraced(function* (
        attempt: Attempt,
        renditions: ReadonlyArray<LadderPart>,
        asked: TranscodingPayload["only"],
        refuse: (attempt: Attempt, useless: LookedInto["useless"]) => Effect.Effect<never, JobFailure>
      ): Effect.fn.Return<Finished, JobFailure> {
        const { folder, info, job, source, token, video } = attempt
        const { good, until, useless } = yield* results.renditions(renditions, attempt)
        if (useless.length > 0) return yield* refuse(attempt, useless)
        const parts = [...good, ...asItIs(attempt, good)].toSorted((a, b) => b.resolution - a.resolution)
        const kept = video.shown ? yield* videos.keptFiles(video.id) : []
        const loses = kept.some(({ hasVideo, resolution }) =>
          hasVideo ? parts.every((part) => part.resolution !== resolution) : false
        )
        if (loses) return yield* new ProcessingFailed({ message: "The video has more than this", final: true })
        const { hls, only, storyboard, webVideo } = orderOf(settings, video, asked)
        const encoded = yield* joining
          .join({
            audioOnly: settings.resolutions.includes(0) || info.video === undefined,
            directory: folder,
            names: fileNames(token),
            hls,
            webVideo,
            splitAudio: settings.splitAudio,
            parts,
            until,
            duration: info.duration,
            source
          })
          .pipe(Effect.mapError(toolFailed(job.attempt)))
        const { sourceFilename } = video
        return {
          encoded,
          thumbnails: video.shown ? undefined : yield* pictures.make(attempt),
          only,
          shape: video.shown ? undefined : shapeOf(info),
          publish: true,
          dropSource: false,
          next: video.shown || !storyboard ? [] : [storyboardJob({ videoId: video.id, source: sourceFilename })],
          end: (lease) =>
            ladders.waitForRest(
              lease,
              renditions.map(({ id }) => id)
            )
        }
      })

      return EarlyRenditions.of({
        publish: Effect.fn("EarlyRenditions.publish")(function* (job, payload, ladder, refuse) {
          const renditions = ladder.parts.filter(isRendition)
          const ids = renditions.map(({ id }) => id)
          const wait = ladders.waitForRest(job.lease, ids)
          const video = Option.getOrUndefined(yield* videos.find(payload.videoId))
          const isFresh = ids.some((id) => !ladder.seen.includes(id))
          if (!isFresh || video === undefined || !mayBeEarly(video)) return yield* wait
          const work = attempts.run(job, {
            step: "transcode",
            videoId: payload.videoId,
            fromRenditions: true,
            named: `early-${ids.join("-")}`,
            make: (attempt) => make(attempt, renditions, payload.only, refuse)
          })
          // The remaining renditions may still succeed: an error here does not fail the ladder.
          yield* Effect.catchTag(work, ["ProcessingFailed", "VideoChanged", "InsufficientStorage"], (error) =>
            Effect.andThen(Effect.logInfo(`Video ${payload.videoId} waits for all renditions: ${error.message}`), wait)
          )
        })
      })
    })
  )
}
