import { Probe } from "@kinora/media/probe/Probe"
import { fileNames } from "@kinora/media/transcode/FileNames"
import { Join } from "@kinora/media/transcode/Join"
import { type ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { type Ladder, type LadderPart, RunnerLadders } from "@kinora/storage/runner/RunnerLadders"
import { ProcessingVideos } from "@kinora/storage/video/write/ProcessingVideos"
import { Context, Effect, Exit, Layer, Option, Schema } from "effect"
import { type Attempt, Attempts } from "../video/process/Attempts.ts"
import type { Finished } from "../video/process/FinishedFiles.ts"
import { type JobFailure, ProcessingFailed, toolFailed } from "../video/process/Outcome.ts"
import { storyboardJob, TranscodingPayload } from "../video/process/ProcessingJobs.ts"
import { ProcessingSettings } from "../video/process/ProcessingSettings.ts"
import { SourceOf } from "../video/process/SourceOf.ts"
import { orderOf, TranscodeVideo } from "../video/process/TranscodeVideo.ts"
import { VideoPictures } from "../video/process/VideoPictures.ts"
import { WorkFolders } from "../video/process/WorkFolders.ts"
import { shapeOf } from "../video/process/SourceShape.ts"
import { PartFiles } from "./parts/PartFiles.ts"
import { isPart, PartGather, type Useless } from "./parts/PartGather.ts"
import { PartJobs } from "./parts/PartJobs.ts"
import { runnerPlan } from "./job/RunnerPlan.ts"
import { EarlyRenditions } from "./EarlyRenditions.ts"
import { LadderResults } from "./LadderResults.ts"

const decodePayload = Schema.decodeUnknownEffect(TranscodingPayload)

const completed = 3
const errored = 4
/** Pending, processing, waiting for another, and completing. */
const openStates: ReadonlySet<number> = new Set([1, 2, 5, 9])

const make = Effect.gen(function* () {
  const settings = yield* ProcessingSettings
  const attempts = yield* Attempts
  const folders = yield* WorkFolders
  const sourceOf = yield* SourceOf
  const videos = yield* ProcessingVideos
  const ladders = yield* RunnerLadders
  const results = yield* LadderResults
  const early = yield* EarlyRenditions
  const board = yield* JobBoard
  const pictures = yield* VideoPictures
  const local = yield* TranscodeVideo
  const probe = yield* Probe
  const joining = yield* Join
  const splitting = yield* PartJobs
  const partFiles = yield* PartFiles
  const inParts = yield* PartGather

  /** The runner jobs of a video; none if runners cannot do it. `whole`: it is not split. */
  const planOf = Effect.fnUntraced(function* (job: ClaimedJob, payload: TranscodingPayload, whole: boolean) {
    const video = Option.getOrUndefined(yield* videos.find(payload.videoId))
    if (video === undefined || video.sourceFilename === null) return []
    const source = yield* sourceOf.local(video.sourceFilename, yield* folders.make(job))
    const info = yield* Effect.mapError(probe.probe(source), toolFailed(job.attempt))
    if (info.video === undefined && video.previewFilename === null) return []
    const { hls, storyboard } = orderOf(settings, video, payload.only)
    const plan = runnerPlan({ video, info, hls }, settings, settings.origin)
    const { sourceFilename } = video
    // The storyboard of a replaced source follows when that source is published.
    if (storyboard && video.shown) {
      yield* board.enqueue(storyboardJob({ videoId: video.id, source: sourceFilename }))
    }
    const parts = whole
      ? []
      : yield* splitting.plan({ jobId: job.id, video: { ...video, sourceFilename }, source, info })
    return parts.length === 0 ? plan : parts
  }, Effect.scoped)

  /** Deletes unusable results and gives their jobs out again, or encodes the video as a whole. */
  const refuse = Effect.fnUntraced(function* (
    { job, video }: Attempt,
    parts: ReadonlyArray<LadderPart>,
    useless: ReadonlyArray<Useless>,
    asWhole: boolean
  ): Effect.fn.Return<never, JobFailure> {
    yield* Effect.logWarning(`Runner jobs of video ${video.uuid} are offered again`, useless)
    const ids = useless.map(({ id }) => id)
    const again = asWhole ? ladders.giveUpSplit(job.lease) : ladders.giveAgain(job.lease, useless)
    // If interrupted here, they would be left to the next sweep.
    yield* Effect.uninterruptible(
      Effect.andThen(again, results.clear(asWhole ? parts : parts.filter(({ id }) => ids.includes(id))))
    )
    return yield* new LeaseLost({ jobId: job.id })
  })

  const gather = Effect.fnUntraced(function* (
    attempt: Attempt,
    { parts }: Ladder,
    asked: TranscodingPayload["only"]
  ): Effect.fn.Return<Finished, JobFailure> {
    const { folder, info, job, token, video } = attempt
    const { hls, only, storyboard: wantsSheet, webVideo } = orderOf(settings, video, asked)
    const failed = toolFailed(job.attempt)
    const sheets = parts.filter(({ type }) => type === "generate-video-storyboard")
    const films = parts.filter((part) => !sheets.includes(part))
    const split = films.some(isPart)
    const whole = split ? { good: [], useless: [], until: undefined } : yield* results.renditions(films, attempt)
    const ranges = split ? yield* inParts.gather(films, attempt) : undefined
    const useless = ranges?.useless ?? whole.useless
    if (useless.length > 0) return yield* refuse(attempt, parts, useless, ranges?.unsplittable === true)
    const thumbnails = video.shown ? undefined : yield* pictures.make(attempt)
    const files = {
      audioOnly: settings.resolutions.includes(0) || info.video === undefined,
      directory: folder,
      names: fileNames(token),
      hls,
      webVideo,
      splitAudio: settings.splitAudio
    }
    const joined =
      ranges === undefined
        ? joining.join({
            ...files,
            parts: whole.good,
            until: whole.until,
            duration: info.duration,
            source: attempt.source
          })
        : inParts.join({
            ...files,
            parts: ranges.videoParts,
            audioPath: ranges.audioPath,
            source: attempt.source,
            info
          })
    const encoded = yield* Effect.mapError(joined, failed)
    const storyboard = yield* results.sheet(
      sheets.find(({ state }) => state === completed),
      attempt
    )
    return {
      encoded: { ...encoded, storyboard },
      thumbnails,
      only,
      shape: video.shown ? undefined : shapeOf(info),
      publish: true,
      dropSource: !settings.keepOriginal,
      next: wantsSheet && !video.shown ? [storyboardJob({ videoId: video.id, source: video.sourceFilename })] : []
    }
  })

  /** Why the renditions cannot be put together. Undefined if they can. */
  const lost = ({ given, parts }: Ladder): string | undefined => {
    if (parts.length < (given ?? 0)) return "Jobs of runners were deleted"
    const ended = parts.filter(
      ({ state, type }) => state !== completed && !openStates.has(state) && type !== "generate-video-storyboard"
    )
    // Jobs that were cancelled along with it carry no message.
    const bad = ended.find(({ state }) => state === errored) ?? ended[0]
    if (bad === undefined) return undefined
    return `The runner job ${bad.uuid} did not come to an end${bad.error === null ? "" : `: ${bad.error}`}`
  }

  /** Whether the source was replaced after the jobs were given out. */
  const isOutdated = Effect.fnUntraced(function* ({ parts }: Ladder, videoId: number) {
    const video = Option.getOrUndefined(yield* videos.find(videoId))
    if (video === undefined || video.sourceFilename === null) return false
    return parts.some(({ source }) => source !== video.sourceFilename)
  })

  const run = Effect.fn("RemoteLadder.run")(function* (job: ClaimedJob): Effect.fn.Return<void, JobFailure> {
    const payload = yield* Effect.mapError(
      decodePayload(job.payload),
      (error) => new ProcessingFailed({ message: error.message, final: true })
    )
    const state = yield* ladders.of(job.id)
    if (state.given === null || (yield* isOutdated(state, payload.videoId))) {
      yield* results.clear(state.parts)
      yield* partFiles.removeAll(job.id)
      const plan = yield* planOf(job, payload, state.whole)
      if (plan.length === 0) return yield* local.run(job)
      yield* ladders.give(job.lease, plan)
      return yield* Effect.logInfo(`${plan.length} jobs wait for runners: video ${payload.videoId}`)
    }
    const message = lost(state)
    if (message !== undefined) {
      // Finished results are kept for a while: the failed job may be retried.
      return yield* new ProcessingFailed({ message, final: true })
    }
    if (state.parts.some((part) => openStates.has(part.state))) {
      return yield* early.publish(job, payload, state, (attempt, useless) =>
        refuse(attempt, state.parts, useless, false)
      )
    }
    const work = attempts.run(job, {
      step: "transcode",
      videoId: payload.videoId,
      fromRenditions: true,
      make: (attempt) => gather(attempt, state, payload.only)
    })
    const over = Effect.andThen(results.clear(state.parts), partFiles.removeAll(job.id))
    // Once the results are in use, they are removed here, also on interruption: the next sweep may be far away.
    yield* Effect.onExit(work, (exit) =>
      Exit.isSuccess(exit)
        ? over
        : Effect.ignore(Effect.flatMap(ladders.unfinished([job.id]), (ids) => (ids.has(job.id) ? Effect.void : over)))
    )
    yield* Effect.logInfo(`Video ${payload.videoId} is fully transcoded by runners`)
  })

  return RemoteLadder.of({ run })
})

/**
 * Makes the renditions of a video with runners: the job on the board gives the work out and waits. The worker that
 * claims it again puts the results together and into use. What runners cannot do is done by this node.
 */
export class RemoteLadder extends Context.Service<
  RemoteLadder,
  { readonly run: (job: ClaimedJob) => Effect.Effect<void, JobFailure> }
>()("@kinora/node/runners/RemoteLadder") {
  static readonly layer = Layer.effect(RemoteLadder, make)
}
