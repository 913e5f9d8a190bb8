import { Storyboard } from "@kinora/media/images/Storyboard"
import { Mux } from "@kinora/media/mux/Mux"
import { Probe } from "@kinora/media/probe/Probe"
import { fileNames } from "@kinora/media/transcode/FileNames"
import { Transcode } from "@kinora/media/transcode/Transcode"
import { Context, Effect, FileSystem, Layer, Schema } from "effect"
import { patiently } from "../server/Patience.ts"
import type { FormFile } from "../server/Multipart.ts"
import { AudioMergePayload, StoryboardPayload, VideoPayload } from "../server/Protocol.ts"
import { type Job, RunnerServer } from "../server/RunnerServer.ts"
import type { ServerError } from "../server/ServerErrors.ts"
import { renditionFor, sheetFor } from "./Renditions.ts"
import { CannotWork, WorkFailed, withoutPaths } from "./WorkErrors.ts"
import type { WorkFolder } from "./WorkFolders.ts"

const decodeVideo = Schema.decodeUnknownEffect(VideoPayload)
const decodeAudioMerge = Schema.decodeUnknownEffect(AudioMergePayload)
const decodeStoryboard = Schema.decodeUnknownEffect(StoryboardPayload)

/** Told how far the encode is, from 0 to 1. */
export type OnFraction = (fraction: number) => Effect.Effect<void>

const film = (path: string): FormFile => ({ field: "payload[videoFile]", path, name: "output.mp4", type: "video/mp4" })

/** What stands in the way of the machine, as against the file: another runner, or a later try, may do. */
const machine = new Set(["ToolMissing", "ToolNotStarted", "PlatformError", "SchemaError"])

interface Failure {
  readonly _tag: string
  readonly message: string
  readonly reason?: unknown
  readonly stderr?: ReadonlyArray<string>
}

const lastLines = 10

const blamed = (error: Failure): CannotWork | WorkFailed => {
  const lines = error.stderr?.slice(-lastLines) ?? []
  const message = withoutPaths(lines.length > 0 ? `The encoder failed:\n${lines.join("\n")}` : error.message)
  const starved =
    error._tag === "FfmpegFailed" && (error.reason === "spawn" || message.includes("No space left on device"))
  return machine.has(error._tag) || starved ? new CannotWork({ message }) : new WorkFailed({ message })
}

/** Does the work of a job in a folder: gets the input, encodes, and gives the files of the result. */
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
      const fs = yield* FileSystem.FileSystem
      const mux = yield* Mux
      const probe = yield* Probe
      const server = yield* RunnerServer
      const storyboard = yield* Storyboard
      const transcode = yield* Transcode

      const get = Effect.fnUntraced(function* (job: Job, folder: WorkFolder, address: string, name: string) {
        const path = `${folder.path}/${name}`
        yield* patiently(server.download(job, address, path, folder.reserve)).pipe(
          Effect.catchTag("PlatformError", (error) => Effect.fail(blamed(error)))
        )
        return path
      })

      /** One file of a picture and a sound that a server keeps apart. */
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
        const info = yield* probe.probe(input.source)
        const rendition = renditionFor(info, output)
        if (rendition === undefined)
          return yield* new WorkFailed({ message: `The source has no ${output.resolution}p` })
        const { renditions } = yield* transcode.transcode({
          ...input,
          info,
          renditions: [rendition],
          directory: folder.path,
          names: fileNames(job.uuid),
          hls,
          webVideo: !hls,
          splitAudio: hls && output.separatedAudio === true,
          storyboard: undefined,
          onProgress: ({ fraction }) => onFraction(fraction)
        })
        const made = renditions.find(({ hasVideo }) => hasVideo === rendition.hasVideo)
        if (hls && made?.hls !== undefined) {
          const playlist = { path: made.hls.playlist, name: "output.m3u8", type: "application/vnd.apple.mpegurl" }
          return [film(made.hls.file), { field: "payload[resolutionPlaylistFile]", ...playlist }]
        }
        if (made?.web !== undefined) return [film(made.web.file)]
        return yield* new WorkFailed({ message: "The encoder made no file" })
      })

      const video = Effect.fnUntraced(function* (job: Job, folder: WorkFolder, onFraction: OnFraction) {
        const { input, output } = yield* decodeVideo(job.payload)
        const picture = yield* get(job, folder, input.videoFileUrl, "source")
        const [sound] = input.separatedAudioFileUrl ?? []
        const source =
          sound === undefined
            ? picture
            : yield* joined(picture, yield* get(job, folder, sound, "sound"), `${folder.path}/joined.mp4`)
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
        const info = yield* probe.probe(source)
        const path = `${folder.path}/storyboard.jpg`
        yield* storyboard.create({ source, info, path, plan: sheetFor(info, sprites) })
        return [{ field: "payload[storyboardFile]", path, name: "storyboard.jpg", type: "image/jpeg" }]
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
          default:
            return Effect.fail(new CannotWork({ message: "Jobs of this type are not done here" }))
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
