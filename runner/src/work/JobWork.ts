import { liveJobType, vodPartJobType } from "@kinora/domain/enums/RunnerJobType"
import { Mux } from "@kinora/media/mux/Mux"
import { PartEncoder } from "@kinora/media/parts/PartEncoder"
import { PartPayload } from "@kinora/media/parts/PartOrder"
import type { Progress } from "@kinora/media/process/FfmpegProgress"
import { blame } from "@kinora/media/work/FailureCause"
import { RunnerWork } from "@kinora/media/work/RunnerWork"
import { Context, Effect, FileSystem, Layer, Schema } from "effect"
import { RunnerConfig } from "../config/RunnerConfig.ts"
import { withRetries } from "../server/RetryPolicy.ts"
import type { FormFile } from "../server/Multipart.ts"
import { AudioMergePayload, StoryboardPayload, VideoPayload } from "../server/Protocol.ts"
import { type Job, RunnerServer } from "../server/RunnerServer.ts"
import type { ServerError } from "../server/ServerErrors.ts"
import { LiveJobWork } from "./LiveJobWork.ts"
import { Encoders } from "./Encoders.ts"
import { CannotWork, WorkFailed } from "./WorkErrors.ts"
import type { WorkFolder } from "./WorkFolders.ts"

const decodeVideo = Schema.decodeUnknownEffect(VideoPayload)
const decodeAudioMerge = Schema.decodeUnknownEffect(AudioMergePayload)
const decodePart = Schema.decodeUnknownEffect(PartPayload)
const decodeStoryboard = Schema.decodeUnknownEffect(StoryboardPayload)

/** Receives the progress of the encode, from 0 to 1. */
export type OnFraction = (fraction: number) => Effect.Effect<void>

const film = (path: string): FormFile => ({ field: "payload[videoFile]", path, name: "output.mp4", type: "video/mp4" })

const blamed = (error: Parameters<typeof blame>[0]): CannotWork | WorkFailed => {
  const { machine, words } = blame(error)
  return machine ? new CannotWork({ message: words }) : new WorkFailed({ message: words })
}

/** Does the work of a job in a folder: downloads the input, encodes, and returns the files of the result. */
export class JobWork extends Context.Service<
  JobWork,
  {
    readonly make: (
      job: Job,
      folder: WorkFolder,
      onFraction: OnFraction
    ) => Effect.Effect<ReadonlyArray<FormFile>, ServerError | CannotWork | WorkFailed>
  }
>()("@kinora/runner/work/JobWork") {
  static readonly layer = Layer.effect(
    JobWork,
    Effect.gen(function* () {
      const { media } = yield* RunnerConfig
      const encoders = yield* Encoders
      const live = yield* LiveJobWork
      const fs = yield* FileSystem.FileSystem
      const mux = yield* Mux
      const parts = yield* PartEncoder
      const runnerWork = yield* RunnerWork
      const server = yield* RunnerServer

      const get = Effect.fnUntraced(function* (job: Job, folder: WorkFolder, address: string, name: string) {
        const path = `${folder.path}/${name}`
        yield* withRetries(server.download(job, address, path, (bytes) => folder.reserve(name, bytes))).pipe(
          Effect.catchTag("PlatformError", (error) => Effect.fail(blamed(error)))
        )
        return path
      })

      /** One file from separate video and audio files of a server. */
      const joined = Effect.fnUntraced(function* (video: string, audio: string, path: string) {
        const { next } = yield* mux.mux({ video, audio })
        const file = yield* fs.open(path, { flag: "w", mode: 0o600 })
        for (let bytes = yield* next; bytes !== undefined; bytes = yield* next) yield* file.writeAll(bytes)
        return path
      }, Effect.scoped)

      const encode = Effect.fnUntraced(function* (
        job: Job,
        folder: WorkFolder,
        input: { readonly source: string; readonly picture?: string | undefined },
        output: {
          readonly resolution: number
          readonly fps: number
          readonly separatedAudio?: boolean | null | undefined
        },
        onFraction: OnFraction
      ) {
        const hls = job.type === "vod-hls-transcoding"
        const order = {
          ...input,
          asked: { resolution: output.resolution, fps: output.fps, codec: media.codec },
          directory: folder.path,
          token: job.uuid,
          hls,
          splitAudio: hls && output.separatedAudio === true,
          onProgress: ({ fraction }: Progress) => onFraction(fraction)
        }
        const made = yield* encoders.encode((videoEncoder) => runnerWork.rendition({ ...order, videoEncoder }))
        if (made.playlist === undefined) return [film(made.video)]
        const playlist = { path: made.playlist, name: "output.m3u8", type: "application/vnd.apple.mpegurl" }
        return [film(made.video), { field: "payload[resolutionPlaylistFile]", ...playlist }]
      })

      const video = Effect.fnUntraced(function* (job: Job, folder: WorkFolder, onFraction: OnFraction) {
        const { input, output } = yield* decodeVideo(job.payload)
        const picture = yield* get(job, folder, input.videoFileUrl, "source")
        const [audioUrl] = input.separatedAudioFileUrl ?? []
        const source =
          audioUrl === undefined
            ? picture
            : yield* joined(picture, yield* get(job, folder, audioUrl, "sound"), `${folder.path}/joined.mp4`)
        return yield* encode(job, folder, { source }, output, onFraction)
      })

      const audioMerge = Effect.fnUntraced(function* (job: Job, folder: WorkFolder, onFraction: OnFraction) {
        const { input, output } = yield* decodeAudioMerge(job.payload)
        const source = yield* get(job, folder, input.audioFileUrl, "source")
        const picture = yield* get(job, folder, input.previewFileUrl, "picture")
        return yield* encode(job, folder, { source, picture }, output, onFraction)
      })

      const sheet = Effect.fnUntraced(function* (job: Job, folder: WorkFolder) {
        const { input, sprites } = yield* decodeStoryboard(job.payload)
        const source = yield* get(job, folder, input.videoFileUrl, "source")
        const path = yield* runnerWork.sheet({ source, directory: folder.path, sprites })
        return [{ field: "payload[storyboardFile]", path, name: "storyboard.jpg", type: "image/jpeg" }]
      })

      const part = Effect.fnUntraced(function* (job: Job, folder: WorkFolder, onFraction: OnFraction) {
        const { input, output } = yield* decodePart(job.payload)
        const source = yield* get(job, folder, input.videoFileUrl, "source")
        return [film(yield* parts.encode({ source, directory: folder.path, output, onFraction }))]
      })

      const byType = (job: Job, folder: WorkFolder, onFraction: OnFraction) => {
        switch (job.type) {
          case "vod-web-video-transcoding":
          case "vod-hls-transcoding":
            return video(job, folder, onFraction)
          case "vod-audio-merge-transcoding":
            return audioMerge(job, folder, onFraction)
          case "generate-video-storyboard":
            return sheet(job, folder)
          case vodPartJobType:
            return part(job, folder, onFraction)
          case liveJobType:
            return Effect.catchTag(live.make(job, folder.path), "StreamRefused", ({ message }) =>
              Effect.fail(new CannotWork({ message }))
            )
          default:
            return Effect.fail(new CannotWork({ message: "This instance does not run jobs of this type" }))
        }
      }

      const fromServer = new Set(["ServerUnreachable", "UnknownRunner", "JobLost", "ServerRefused", "UnexpectedAnswer"])
      const isServerError = (error: { readonly _tag: string }): error is ServerError => fromServer.has(error._tag)
      const isOurs = (error: { readonly _tag: string }): error is CannotWork | WorkFailed =>
        error._tag === "CannotWork" || error._tag === "WorkFailed"

      return JobWork.of({
        make: Effect.fn("JobWork.make")((job, folder, onFraction) =>
          Effect.mapError(byType(job, folder, onFraction), (error) =>
            isServerError(error) || isOurs(error) ? error : blamed(error)
          )
        )
      })
    })
  )
}
