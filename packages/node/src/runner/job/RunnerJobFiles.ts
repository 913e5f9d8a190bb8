import { FileNotOfTask, NotOfThisJob } from "@kinora/domain/errors/RunnerErrors"
import { FileNotFound } from "@kinora/domain/errors/VideoErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { HeldJob } from "@kinora/storage/runner/RunnerCalls"
import type { ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { type ProcessingVideo, ProcessingVideos } from "@kinora/storage/video/write/ProcessingVideos"
import { playlistsBucket } from "@kinora/storage/video/write/NewRenditions"
import { keyOfRendition } from "../../video/process/SourceOf.ts"
import { hlsName } from "@kinora/storage/platform/objects/ObjectIntents"
import { Context, Effect, Layer, Option } from "effect"

type Missing = NotOfThisJob | FileNotFound | DatabaseUnavailable

/** Input files of jobs. */
export class RunnerJobFiles extends Context.Service<
  RunnerJobFiles,
  {
    /** The uploaded video, or its best rendition if the original was not kept. */
    readonly source: (job: HeldJob, named: VideoIdOrUuid) => Effect.Effect<ObjectKey, Missing>
    /** The audio that its HLS renditions share. */
    readonly audio: (job: HeldJob, named: VideoIdOrUuid) => Effect.Effect<ObjectKey, Missing>
    /** Its largest thumbnail. */
    readonly picture: (job: HeldJob, named: VideoIdOrUuid) => Effect.Effect<ObjectKey, Missing>
    /** Files of a job's tasks (studio edits). Jobs with tasks are never created, so there are none. */
    readonly taskFile: (
      job: HeldJob,
      named: VideoIdOrUuid
    ) => Effect.Effect<never, NotOfThisJob | FileNotOfTask | DatabaseUnavailable>
  }
>()("@kinora/node/runners/RunnerJobFiles") {
  static readonly layer = Layer.effect(
    RunnerJobFiles,
    Effect.gen(function* () {
      const videos = yield* ProcessingVideos

      const isOf = (video: ProcessingVideo, id: VideoIdOrUuid): boolean =>
        id._tag === "Id" ? id.id === video.id : id.uuid === video.uuid

      const open = Effect.fnUntraced(function* (job: HeldJob, id: VideoIdOrUuid) {
        const video = job.videoId === null ? Option.none() : yield* videos.find(job.videoId)
        return Option.isNone(video) || !isOf(video.value, id) ? yield* new NotOfThisJob() : video.value
      })

      const named = (bucket: ObjectKey["bucket"], name: string | null | undefined) =>
        name === null || name === undefined ? Effect.fail(new FileNotFound()) : Effect.succeed({ bucket, name })

      return RunnerJobFiles.of({
        source: Effect.fn("RunnerJobFiles.source")(function* (job, id) {
          const video = yield* open(job, id)
          if (video.sourceFilename !== null) return yield* named("original_video_files", video.sourceFilename)
          const best = (yield* videos.keptFiles(video.id)).find(({ hasVideo }) => hasVideo)
          return best === undefined ? yield* new FileNotFound() : keyOfRendition(video, best)
        }),
        audio: Effect.fn("RunnerJobFiles.audio")(function* (job, id) {
          const video = yield* open(job, id)
          const files = yield* videos.keptFiles(video.id)
          const audio = files.find(({ hasAudio, hasVideo, hls }) => hls && hasAudio && !hasVideo)
          const name = audio === undefined ? undefined : hlsName(video.uuid, audio.filename)
          return yield* named(playlistsBucket(video.privacy), name)
        }),
        picture: Effect.fn("RunnerJobFiles.picture")(function* (job, id) {
          return yield* named("thumbnails", (yield* open(job, id)).previewFilename)
        }),
        taskFile: Effect.fn("RunnerJobFiles.taskFile")(function* (job, id) {
          yield* open(job, id)
          return yield* new FileNotOfTask()
        })
      })
    })
  )
}
