import { type MadeRunnerJobType, vodPartJobType } from "@kinora/domain/enums/RunnerJobType"
import { type DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { PartEncoder } from "@kinora/media/parts/PartEncoder"
import { PartPayload } from "@kinora/media/parts/PartOrder"
import { blame } from "@kinora/media/work/FailureCause"
import { RunnerWork } from "@kinora/media/work/RunnerWork"
import type { NodeRunnerJob } from "@kinora/storage/runner/NodeRunnerJobs"
import { ProcessingVideos } from "@kinora/storage/video/write/ProcessingVideos"
import { Context, Data, Effect, Layer, Option, Schema } from "effect"
import { ProcessingSettings } from "../../video/process/ProcessingSettings.ts"
import { SourceOf } from "../../video/process/SourceOf.ts"
import { PartFiles } from "../parts/PartFiles.ts"

/** The job types that this node can do. */
export const localTypes = [
  "vod-web-video-transcoding",
  "vod-hls-transcoding",
  "vod-audio-merge-transcoding",
  "generate-video-storyboard",
  vodPartJobType
] as const satisfies ReadonlyArray<MadeRunnerJobType>

/** The work was tried and failed. The message is for operators. */
export class LocalWorkFailed extends Data.TaggedError("LocalWorkFailed")<{ readonly words: string }> {}

/** This node cannot do the work now. Another node, or a later try, may succeed. */
export class LocalWorkPrevented extends Data.TaggedError("LocalWorkPrevented")<{ readonly words: string }> {}

/** A file of the result, under its form field name. `path` is absolute. */
export interface MadeFile {
  readonly field: string
  readonly path: string
}

const decodeRendition = Schema.decodeUnknownEffect(
  Schema.Struct({
    output: Schema.Struct({
      resolution: Schema.Int,
      fps: Schema.Finite,
      separatedAudio: Schema.optional(Schema.NullOr(Schema.Boolean))
    })
  })
)
const decodePart = Schema.decodeUnknownEffect(PartPayload)
const Edges = Schema.Struct({ width: Schema.Int, height: Schema.Int })
const decodeSheet = Schema.decodeUnknownEffect(
  Schema.Struct({ sprites: Schema.Struct({ size: Edges, count: Edges, duration: Schema.Finite }) })
)

/** Disk space becomes free again, so a full disk does not fail the job. */
const full = /no space left on device/i

const make = Effect.gen(function* () {
  const videos = yield* ProcessingVideos
  const sourceOf = yield* SourceOf
  const work = yield* RunnerWork
  const partFiles = yield* PartFiles
  const parts = yield* PartEncoder
  const { codecs } = yield* ProcessingSettings

  const videoOf = Effect.fnUntraced(function* ({ videoId }: NodeRunnerJob) {
    const found = videoId === null ? Option.none() : yield* videos.find(videoId)
    return Option.isNone(found) ? yield* new LocalWorkFailed({ words: "The video is gone" }) : found.value
  })

  const sourceFor = Effect.fnUntraced(function* (job: NodeRunnerJob, folder: string) {
    const video = yield* videoOf(job)
    const source =
      video.sourceFilename === null
        ? yield* sourceOf.renditions(video, folder)
        : Option.some(yield* sourceOf.local(video.sourceFilename, folder))
    if (Option.isNone(source)) return yield* new LocalWorkFailed({ words: "The uploaded file is missing" })
    return { video, source: source.value }
  })

  const rendition = Effect.fnUntraced(function* (
    job: NodeRunnerJob,
    folder: string,
    onFraction: (fraction: number) => Effect.Effect<void>
  ) {
    const { output } = yield* decodeRendition(job.payload)
    const { source, video } = yield* sourceFor(job, folder)
    const isAudioMerge = job.type === "vod-audio-merge-transcoding" && video.previewFilename !== null
    const picture = isAudioMerge
      ? { picture: yield* sourceOf.object({ bucket: "thumbnails", name: video.previewFilename }, folder) }
      : {}
    const hls = job.type === "vod-hls-transcoding"
    const made = yield* work.rendition({
      ...picture,
      source,
      asked: { resolution: output.resolution, fps: output.fps, quality: codecs.quality },
      directory: folder,
      token: job.uuid,
      hls,
      splitAudio: hls && output.separatedAudio === true,
      onProgress: ({ fraction }) => onFraction(fraction)
    })
    const film: MadeFile = { field: "payload[videoFile]", path: made.video }
    return made.playlist === undefined
      ? [film]
      : [film, { field: "payload[resolutionPlaylistFile]", path: made.playlist }]
  })

  const sheet = Effect.fnUntraced(function* (job: NodeRunnerJob, folder: string) {
    const { sprites } = yield* decodeSheet(job.payload)
    const { source } = yield* sourceFor(job, folder)
    const path = yield* work.sheet({ source, directory: folder, sprites })
    return [{ field: "payload[storyboardFile]", path }]
  })

  const part = Effect.fnUntraced(function* (
    job: NodeRunnerJob,
    folder: string,
    onFraction: (fraction: number) => Effect.Effect<void>
  ) {
    const { output } = yield* decodePart(job.payload)
    const source = Option.getOrUndefined(partFiles.cutOf(job))
    if (source === undefined) return yield* new LocalWorkFailed({ words: "The cut of the part is missing" })
    const path = yield* parts.encode({ source, directory: folder, output, onFraction })
    return [{ field: "payload[videoFile]", path }]
  })

  const byType = (job: NodeRunnerJob, folder: string, onFraction: (fraction: number) => Effect.Effect<void>) => {
    switch (job.type) {
      case "vod-web-video-transcoding":
      case "vod-hls-transcoding":
      case "vod-audio-merge-transcoding":
        return rendition(job, folder, onFraction)
      case "generate-video-storyboard":
        return sheet(job, folder)
      case vodPartJobType:
        return part(job, folder, onFraction)
      default:
        return Effect.die(`jobs ${job.type} are not done here`)
    }
  }

  return LocalWork.of({
    make: Effect.fn("LocalWork.make")((job, folder, onFraction) =>
      Effect.mapError(byType(job, folder, onFraction), (error) => {
        if (error._tag === "DatabaseUnavailable" || error._tag === "LocalWorkFailed") return error
        if (error._tag === "InsufficientStorage") return error
        const { machine, words } = blame(error)
        if (machine && full.test(words)) return new InsufficientStorage()
        return machine ? new LocalWorkPrevented({ words }) : new LocalWorkFailed({ words })
      })
    )
  })
})

/** Does the work of a runner job in a local folder, as `kinora-runner` does elsewhere. */
export class LocalWork extends Context.Service<
  LocalWork,
  {
    /** Returns the files of the result. `onFraction` receives the progress of the encode, from 0 to 1. */
    readonly make: (
      job: NodeRunnerJob,
      folder: string,
      onFraction: (fraction: number) => Effect.Effect<void>
    ) => Effect.Effect<
      ReadonlyArray<MadeFile>,
      LocalWorkFailed | LocalWorkPrevented | InsufficientStorage | DatabaseUnavailable
    >
  }
>()("@kinora/node/runners/local/LocalWork") {
  static readonly layer = Layer.effect(LocalWork, make)
}
