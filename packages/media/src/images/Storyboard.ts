import { Context, Effect, Layer, type PlatformError, Stream } from "effect"
import {
  type FfmpegFailed,
  type ToolMissing,
  UnsupportedMedia,
  type UnsupportedPicture
} from "../errors/MediaErrors.ts"
import { ffmpegArguments } from "../process/FfmpegCommand.ts"
import { FfmpegProcess } from "../process/FfmpegProcess.ts"
import type { MediaInfo } from "../probe/MediaInfo.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import { Tools } from "../tools/Tools.ts"
import { sheetFilter, spriteFilters } from "./StoryboardFilters.ts"
import { Pictures } from "./Pictures.ts"
import {
  sheetArguments,
  stillPlan,
  type StoryboardFile,
  type StoryboardPlan,
  storyboardPlan
} from "./StoryboardPlan.ts"

const fileOf = (path: string, plan: StoryboardPlan): StoryboardFile => {
  const { spriteDuration, spriteHeight, spriteWidth, totalHeight, totalWidth } = plan
  return { path, totalWidth, totalHeight, spriteWidth, spriteHeight, spriteDuration }
}

/**
 * Makes a separate storyboard, for videos that got none with their ladder. For long videos only keyframes are decoded.
 */
export class Storyboard extends Context.Service<
  Storyboard,
  {
    /** Writes a JPEG to `path` (absolute). Fails for audio only: `UnsupportedMedia` `no-frames`. */
    create(options: {
      readonly source: string
      readonly info: MediaInfo
      readonly path: string
      /** Undefined: the default plan. */
      readonly plan?: StoryboardPlan | undefined
    }): Effect.Effect<StoryboardFile, FfmpegFailed | ToolMissing | UnsupportedMedia>
    /** That of sound, from the picture it is shown with. */
    still(options: {
      readonly picture: { readonly path: string; readonly width: number; readonly height: number }
      /** Seconds. */
      readonly duration: number
      readonly path: string
    }): Effect.Effect<StoryboardFile, UnsupportedPicture | PlatformError.PlatformError>
  }
>()("@kinora/media/images/Storyboard") {
  static readonly layer = Layer.effect(
    Storyboard,
    Effect.gen(function* () {
      const process = yield* FfmpegProcess
      const settings = yield* MediaSettings
      const tools = yield* Tools
      const pictures = yield* Pictures

      const create = Effect.fn("Storyboard.create")(function* (options: {
        readonly source: string
        readonly info: MediaInfo
        readonly path: string
        readonly plan?: StoryboardPlan | undefined
      }) {
        const { info, path, source } = options
        const plan = options.plan ?? storyboardPlan(info)
        if (plan === undefined || info.video === undefined) {
          return yield* new UnsupportedMedia({ reason: "no-frames", detail: "Audio has no storyboard." })
        }
        // With a sprite every 15 s or more, the nearest keyframe is close enough and much cheaper.
        const isSparse = plan.spriteDuration >= 15
        const filters = `${spriteFilters(plan, info.video, tools.report.features)},${sheetFilter(plan)}`
        const outputs = [{ path, options: ["-map", `0:${info.video.stream}`, "-vf", filters, ...sheetArguments] }]
        const limits = { memory: settings.encodeMemory, fileSize: settings.fileSize, background: true }
        const draw = (options: ReadonlyArray<string>) => {
          const args = ffmpegArguments({ inputs: [{ path: source, kind: "upload", options }], outputs })
          const invocation = { tool: "ffmpeg", args, timeout: settings.encodeTimeout, limits } as const
          return Stream.runDrain(process.progress(invocation, info.duration))
        }
        // Decoders of ffmpeg 5 report each frame of Theora that is skipped as an error.
        yield* isSparse
          ? Effect.catchIf(
              draw(["-skip_frame", "nokey"]),
              (error) => error._tag === "FfmpegFailed" && error.gaveUp,
              () => draw([])
            )
          : draw([])
        return fileOf(path, plan)
      })

      const still: Storyboard["Service"]["still"] = Effect.fn("Storyboard.still")(function* ({
        duration,
        path,
        picture
      }) {
        const plan = stillPlan(duration, picture)
        yield* pictures.write(picture.path, [{ path, width: plan.totalWidth, height: plan.totalHeight }], "cover")
        return fileOf(path, plan)
      })

      return Storyboard.of({ create, still })
    })
  )
}
