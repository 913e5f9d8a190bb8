import { Context, Effect, FileSystem, Layer, Path, type PlatformError, Stream } from "effect"
import { type FfmpegFailed, type MalformedMp4, type ToolMissing, UnsupportedMedia } from "../errors/MediaErrors.ts"
import { sheetArguments, storyboardPlan } from "../images/StoryboardPlan.ts"
import type { Rendition } from "../ladder/Rendition.ts"
import type { VideoCodec } from "../ladder/VideoCodec.ts"
import { ffmpegArguments } from "../process/FfmpegCommand.ts"
import { FfmpegProcess } from "../process/FfmpegProcess.ts"
import type { Progress } from "../process/FfmpegProgress.ts"
import type { MediaInfo } from "../probe/MediaInfo.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import { Tools } from "../tools/Tools.ts"
import { StillPicture } from "../images/StillPicture.ts"
import type { Encoded } from "./Encoded.ts"
import { encodeWork } from "./EncodeWork.ts"
import type { FileNames } from "./FileNames.ts"
import { sheetFilter } from "../images/StoryboardFilters.ts"
import { addressSpace } from "./HardwareArguments.ts"
import { packageStreams } from "./Package.ts"
import { canEncode, type VideoEncoder } from "./VideoEncoder.ts"

export interface TranscodeOptions {
  /** Absolute path of the upload. */
  readonly source: string
  readonly info: MediaInfo
  /** From `ladder`. */
  readonly renditions: ReadonlyArray<Rendition>
  /** Existing folder for all files, on a disk with space for twice the result. */
  readonly directory: string
  readonly names: FileNames
  readonly hls: boolean
  readonly webVideo: boolean
  readonly splitAudio: boolean
  /** Absolute path of the storyboard to write. Undefined: none is made. */
  readonly storyboard: string | undefined
  /**
   * For audio only: the image to show, an uploaded JPEG, PNG, WebP or GIF. Else the file's own cover, else a plain
   * image.
   */
  readonly picture?: string | undefined
  /** Encodes the renditions of its codec. Without it, and for other codecs, software encoders are used. */
  readonly videoEncoder?: VideoEncoder | undefined
  readonly onProgress?: (progress: Progress) => Effect.Effect<void>
}

const noFrames = () =>
  new UnsupportedMedia({ reason: "no-frames", detail: "Nothing in the file can be decoded: it is damaged." })

/** Whether the file is the cause and not the machine: ffmpeg could not decode its packets. */
const undecodable = (failure: FfmpegFailed): boolean =>
  failure.reason === "exit" &&
  failure.stderr.some((line) => /Decode error rate|Error while decoding|Invalid data found when processing/.test(line))

export type TranscodeError = FfmpegFailed | ToolMissing | UnsupportedMedia | MalformedMp4 | PlatformError.PlatformError

/**
 * Makes the whole ladder of a source: one decode, every rendition and the storyboard, then the served files by stream
 * copy.
 */
export class Transcode extends Context.Service<
  Transcode,
  {
    transcode(options: TranscodeOptions): Effect.Effect<Encoded, TranscodeError>
    /** Whether the installed ffmpeg has a software encoder for this codec. */
    encodes(codec: VideoCodec): Effect.Effect<boolean>
  }
>()("@kinora/media/transcode/Transcode") {
  static readonly layer = Layer.effect(
    Transcode,
    Effect.gen(function* () {
      const context = yield* Effect.context<FfmpegProcess | FileSystem.FileSystem | Path.Path>()
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const process = yield* FfmpegProcess
      const stillPicture = yield* StillPicture
      const settings = yield* MediaSettings
      const tools = yield* Tools

      const transcode = Effect.fn("Transcode.transcode")(function* (options: TranscodeOptions) {
        const { info } = options
        const plan = options.storyboard === undefined ? undefined : storyboardPlan(info)
        const scratch = yield* fs.makeTempDirectoryScoped({ directory: options.directory, prefix: ".encode-" })
        const top = options.renditions.find((rendition) => rendition.hasVideo)
        const still =
          info.video === undefined && top !== undefined
            ? yield* stillPicture.make({ ...options, width: top.width, height: top.height, directory: scratch })
            : undefined

        const sprites = plan === undefined ? undefined : path.join(scratch, "sprites.mp4")
        const encode = encodeWork({
          ...options,
          plan,
          sprites,
          still,
          scratch,
          settings,
          features: tools.report.features
        })
        const memory = addressSpace(options.videoEncoder, settings.encodeMemory)
        const limits = { memory, fileSize: settings.fileSize, background: true }
        const invocation = {
          tool: "ffmpeg",
          args: ffmpegArguments(encode.work),
          timeout: settings.encodeTimeout,
          limits
        } as const
        let frames = 0
        yield* process.progress(invocation, info.duration).pipe(
          Stream.runForEach((progress) => {
            frames = progress.frame
            return options.onProgress?.(progress) ?? Effect.void
          }),
          Effect.catchTag("FfmpegFailed", (failure) => Effect.fail(undecodable(failure) ? noFrames() : failure))
        )
        if (top !== undefined && frames === 0) return yield* noFrames()

        const layOut = Effect.gen(function* () {
          if (plan === undefined || sprites === undefined || options.storyboard === undefined) return
          const sheet = ffmpegArguments({
            inputs: [{ path: sprites, kind: "ours" }],
            outputs: [{ path: options.storyboard, options: ["-vf", sheetFilter(plan), ...sheetArguments] }]
          })
          // Short work with a short timeout: it must not wait for other work.
          const brief = { args: sheet, timeout: settings.probeTimeout, limits: { ...limits, background: false } }
          yield* Stream.runDrain(process.progress({ ...invocation, ...brief }, info.duration))
        })
        const packaging = packageStreams({
          ...options,
          background: true,
          kind: "ours",
          renditions: encode.renditions,
          audio: encode.audio,
          duration: info.duration
        }).pipe(Effect.provideContext(context), Effect.provideService(MediaSettings, settings))
        const [encoded] = yield* Effect.all([packaging, layOut], { concurrency: 2 })
        const storyboard =
          plan === undefined || options.storyboard === undefined || !(yield* fs.exists(options.storyboard))
            ? undefined
            : {
                path: options.storyboard,
                totalWidth: plan.totalWidth,
                totalHeight: plan.totalHeight,
                spriteWidth: plan.spriteWidth,
                spriteHeight: plan.spriteHeight,
                spriteDuration: plan.spriteDuration
              }
        return { ...encoded, storyboard } satisfies Encoded
      }, Effect.scoped)

      return Transcode.of({ transcode, encodes: (codec) => Effect.succeed(canEncode(tools.report.features, codec)) })
    })
  )
}
