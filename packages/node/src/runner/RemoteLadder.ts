import { Pictures } from "@kinora/media/images/Pictures"
import { type StoryboardFile, storyboardPlan } from "@kinora/media/images/StoryboardPlan"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import { Probe } from "@kinora/media/probe/Probe"
import { fileNames } from "@kinora/media/transcode/FileNames"
import { Join, type JoinedPart } from "@kinora/media/transcode/Join"
import { type ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import { type Ladder, type LadderPart, RunnerLadders } from "@kinora/storage/runner/RunnerLadders"
import { ProcessingVideos } from "@kinora/storage/video/write/ProcessingVideos"
import { Context, Effect, Exit, Layer, Option, Schema } from "effect"
import { join } from "node:path"
import { type Attempt, Attempts } from "../video/process/Attempts.ts"
import type { Finished } from "../video/process/FinishedFiles.ts"
import { type JobFailure, ProcessingFailed, toolFailed } from "../video/process/Outcome.ts"
import { TranscodingPayload } from "../video/process/ProcessingJobs.ts"
import { ProcessingSettings } from "../video/process/ProcessingSettings.ts"
import { SourceOf } from "../video/process/SourceOf.ts"
import { orderOf, TranscodeVideo } from "../video/process/TranscodeVideo.ts"
import { VideoPictures } from "../video/process/VideoPictures.ts"
import { WorkFolders } from "../video/process/WorkFolders.ts"
import { shapeOf } from "../video/process/SourceShape.ts"
import { PartFiles } from "./parts/PartFiles.ts"
import { isPart, PartGather, type Useless } from "./parts/PartGather.ts"
import { PartJobs } from "./parts/PartJobs.ts"
import { misfit } from "./job/ResultRules.ts"
import { runnerPlan } from "./job/RunnerPlan.ts"
import { RunnerResults } from "./job/RunnerResults.ts"

const decodePayload = Schema.decodeUnknownEffect(TranscodingPayload)
const decodeResolution = Schema.decodeUnknownOption(
  Schema.Struct({ output: Schema.Struct({ resolution: Schema.Int }) })
)

const completed = 3
const errored = 4

const make = Effect.gen(function* () {
  const settings = yield* ProcessingSettings
  const attempts = yield* Attempts
  const folders = yield* WorkFolders
  const sourceOf = yield* SourceOf
  const videos = yield* ProcessingVideos
  const ladders = yield* RunnerLadders
  const results = yield* RunnerResults
  const pictures = yield* VideoPictures
  const local = yield* TranscodeVideo
  const probe = yield* Probe
  const images = yield* Pictures
  const joining = yield* Join
  const splitting = yield* PartJobs
  const partFiles = yield* PartFiles
  const inParts = yield* PartGather

  /** The runner jobs of a video; none when it is one that runners cannot be given. `whole`: it is not split. */
  const planOf = Effect.fnUntraced(function* (job: ClaimedJob, payload: TranscodingPayload, whole: boolean) {
    const video = Option.getOrUndefined(yield* videos.find(payload.videoId))
    if (video === undefined || video.sourceFilename === null) return []
    const source = yield* sourceOf.local(video.sourceFilename, yield* folders.make(job))
    const info = yield* Effect.mapError(probe.probe(source), toolFailed(job.attempt))
    if (info.video === undefined && video.previewFilename === null) return []
    const { hls, storyboard } = orderOf(settings, video, payload.only)
    const plan = runnerPlan({ video, info, hls, storyboard }, settings, settings.origin)
    const { sourceFilename } = video
    const parts = whole
      ? []
      : yield* splitting.plan({ jobId: job.id, video: { ...video, sourceFilename }, source, info })
    return parts.length === 0 ? plan : [...parts, ...plan.filter(({ type }) => type === "generate-video-storyboard")]
  }, Effect.scoped)

  const look = Effect.fnUntraced(function* (part: LadderPart, source: MediaInfo) {
    const resolution = Option.getOrUndefined(decodeResolution(part.payload))?.output.resolution
    if (part.result === null || resolution === undefined) return yield* Effect.die("a finished job without a result")
    const file = results.path(part.result, "video.mp4")
    const info = yield* Effect.mapError(probe.probe(file), ({ message }) => message)
    const words = misfit(info, source, resolution)
    return words === undefined ? ({ resolution, file, info } satisfies JoinedPart) : yield* Effect.fail(words)
  })

  /** What runners made, looked into: some of it may be of no use. */
  const partsOf = Effect.fnUntraced(function* (parts: ReadonlyArray<LadderPart>, source: MediaInfo) {
    const good: Array<JoinedPart> = []
    const useless: Array<Useless> = []
    for (const part of parts) {
      const seen = yield* Effect.result(look(part, source))
      if (seen._tag === "Success") good.push(seen.success)
      else useless.push({ id: part.id, words: `The result is of no use: ${seen.failure}` })
    }
    return { good: good.toSorted((a, b) => b.resolution - a.resolution), useless }
  })

  /** The sheet as ours are: a jpeg of exactly the size that was asked for. A video does without a damaged one. */
  const sheetOf = Effect.fnUntraced(function* (part: LadderPart | undefined, { folder, info, token }: Attempt) {
    const plan = storyboardPlan(info)
    if (part === undefined || part.result === null || plan === undefined) return undefined
    const { spriteDuration, spriteHeight, spriteWidth, totalHeight, totalWidth } = plan
    const path = join(folder, `${token}.jpg`)
    const target = { path, width: totalWidth, height: totalHeight }
    const sheet: StoryboardFile = { path, totalWidth, totalHeight, spriteWidth, spriteHeight, spriteDuration }
    return yield* images.write(results.path(part.result, "storyboard"), [target], "cover").pipe(
      Effect.as<StoryboardFile | undefined>(sheet),
      Effect.catch((error) => Effect.as(Effect.logWarning("The storyboard of a runner is of no use", error), undefined))
    )
  })

  /** Takes results away that are of no use, and gives their jobs out again; or the video as a whole. */
  const refuse = Effect.fnUntraced(function* (
    { job, video }: Attempt,
    parts: ReadonlyArray<LadderPart>,
    useless: ReadonlyArray<Useless>,
    asWhole: boolean
  ): Effect.fn.Return<never, JobFailure> {
    yield* Effect.logWarning(`Runner jobs of video ${video.uuid} are given out again`, useless)
    const ids = useless.map(({ id }) => id)
    const again = asWhole ? ladders.giveUpSplit(job.lease) : ladders.giveAgain(job.lease, useless)
    // Who ends just then would leave them to the next sweep.
    yield* Effect.uninterruptible(
      Effect.andThen(again, clear(asWhole ? parts : parts.filter(({ id }) => ids.includes(id))))
    )
    return yield* new LeaseLost({ jobId: job.id })
  })

  const clear = (parts: ReadonlyArray<LadderPart>) =>
    Effect.forEach(parts, ({ result }) => (result === null ? Effect.void : results.remove(result)), { discard: true })

  const gather = Effect.fnUntraced(function* (
    attempt: Attempt,
    { parts }: Ladder,
    asked: TranscodingPayload["only"]
  ): Effect.fn.Return<Finished, JobFailure> {
    const { folder, info, job, token, video } = attempt
    const { hls, only, webVideo } = orderOf(settings, video, asked)
    const failed = toolFailed(job.attempt)
    const sheets = parts.filter(({ type }) => type === "generate-video-storyboard")
    const films = parts.filter((part) => !sheets.includes(part))
    const split = films.some(isPart)
    const whole = split ? { good: [], useless: [] } : yield* partsOf(films, info)
    const ranges = split ? yield* inParts.gather(films, info) : undefined
    const useless = ranges?.useless ?? whole.useless
    if (useless.length > 0) return yield* refuse(attempt, parts, useless, ranges?.quarrel === true)
    const thumbnails = video.shown ? undefined : yield* pictures.make(attempt)
    const files = {
      soundAlone: settings.resolutions.includes(0) || info.video === undefined,
      directory: folder,
      names: fileNames(token),
      hls,
      webVideo,
      splitAudio: settings.splitAudio
    }
    const joined =
      ranges === undefined
        ? joining.join({ ...files, parts: whole.good, duration: info.duration, source: attempt.source })
        : inParts.join({ ...files, parts: ranges.pictures, sound: ranges.sound, source: attempt.source, info })
    const encoded = yield* Effect.mapError(joined, failed)
    const storyboard = yield* sheetOf(
      sheets.find(({ state }) => state === completed),
      attempt
    )
    return {
      encoded: { ...encoded, storyboard },
      thumbnails,
      describe: true,
      only,
      shape: video.shown ? undefined : shapeOf(info),
      publish: true,
      dropSource: !settings.keepOriginal
    }
  })

  /** Why a ladder cannot be put together; undefined when it can. */
  const lost = ({ given, parts }: Ladder): string | undefined => {
    if (parts.length < (given ?? 0)) return "Jobs of runners were deleted"
    const ended = parts.filter(({ state, type }) => state !== completed && type !== "generate-video-storyboard")
    // Those that were given up with it say nothing.
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
      yield* clear(state.parts)
      yield* partFiles.removeAll(job.id)
      const plan = yield* planOf(job, payload, state.whole)
      if (plan.length === 0) return yield* local.run(job)
      yield* ladders.give(job.lease, plan)
      return yield* Effect.logInfo(`${plan.length} jobs wait for runners: video ${payload.videoId}`)
    }
    const message = lost(state)
    if (message !== undefined) {
      // What was made stays for a while: the job that failed may be begun again.
      return yield* new ProcessingFailed({ message, final: true })
    }
    const work = attempts.run(job, {
      step: "transcode",
      videoId: payload.videoId,
      fromRenditions: true,
      make: (attempt) => gather(attempt, state, payload.only)
    })
    const over = Effect.andThen(clear(state.parts), partFiles.removeAll(job.id))
    // Once they are in use, nobody else comes soon to take the results away: also when it ends just then.
    yield* Effect.onExit(work, (exit) =>
      Exit.isSuccess(exit)
        ? over
        : Effect.ignore(Effect.flatMap(ladders.unfinished([job.id]), (ids) => (ids.has(job.id) ? Effect.void : over)))
    )
    yield* Effect.logInfo(`Video ${payload.videoId} has its renditions, made by runners`)
  })

  return RemoteLadder.of({ run })
})

/**
 * The ladder of a video, made by runners: the job of the board gives the work out and waits, and a worker that gets it
 * again puts the results together and in use. What runners cannot be given is made by this node.
 */
export class RemoteLadder extends Context.Service<
  RemoteLadder,
  { readonly run: (job: ClaimedJob) => Effect.Effect<void, JobFailure> }
>()("@kinora/node/runners/RemoteLadder") {
  static readonly layer = Layer.effect(RemoteLadder, make)
}
