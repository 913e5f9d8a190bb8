import { Context, Effect, Layer, Stream } from "effect"
import type { FfmpegFailed, ToolMissing } from "../errors/MediaErrors.ts"
import { ffmpegArguments, type FfmpegWork } from "../process/FfmpegCommand.ts"
import { FfmpegProcess } from "../process/FfmpegProcess.ts"
import type { MediaInfo, VideoStream } from "../probe/MediaInfo.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import { Tools } from "../tools/Tools.ts"
import { stillFilters } from "./StillFilters.ts"

/** Keyframes of the next two minutes: they represent all frames, for a fifth of the decoding. */
const keyframesOnly = ["-skip_frame", "nokey", "-t", "120"]

/** Extracts single frames from media files, as PNG for `Pictures` to process. */
export class Frames extends Context.Service<
  Frames,
  {
    /**
     * The most representative of `analyzed` frames from the keyframe before `at` seconds on. If there is none that
     * late, one from the start.
     */
    representative(
      source: string,
      info: MediaInfo,
      video: VideoStream,
      options: { readonly at: number; readonly analyzed: number; readonly path: string }
    ): Effect.Effect<void, FfmpegFailed | ToolMissing>
    /** The frame shown at `at` seconds; after the end, the last one found. */
    exact(
      source: string,
      video: VideoStream,
      options: { readonly at: number; readonly path: string }
    ): Effect.Effect<void, FfmpegFailed | ToolMissing>
    /** An attached image, decoded. */
    attached(source: string, stream: string, path: string): Effect.Effect<void, FfmpegFailed | ToolMissing>
  }
>()("@kinora/media/images/Frames") {
  static readonly layer = Layer.effect(
    Frames,
    Effect.gen(function* () {
      const process = yield* FfmpegProcess
      const settings = yield* MediaSettings
      const tools = yield* Tools
      const limits = { memory: settings.encodeMemory, fileSize: 1024 ** 3, cpuSeconds: 120 }
      const run = (work: FfmpegWork) =>
        Stream.runCollect(
          process.progress({ tool: "ffmpeg", args: ffmpegArguments(work), timeout: settings.probeTimeout, limits }, 0)
        )

      const png = ["-frames:v", "1", "-c:v", "png", "-compression_level", "1", "-update", "1", "-f", "image2"]

      const representative = Effect.fn("Frames.representative")(function* (
        source: string,
        info: MediaInfo,
        video: VideoStream,
        options: { readonly at: number; readonly analyzed: number; readonly path: string }
      ) {
        const filters = stillFilters(video, options.analyzed, tools.report.features)
        const from = (at: number, how: ReadonlyArray<string>): FfmpegWork => ({
          inputs: [
            {
              path: source,
              kind: "upload",
              options: [...(at > 0 ? ["-noaccurate_seek", "-ss", at.toFixed(3)] : []), ...how]
            }
          ],
          outputs: [{ path: options.path, options: ["-map", `0:${video.stream}`, "-vf", filters, ...png] }]
        })
        const at = Math.min(options.at, info.duration / 2)
        // Some files have no keyframe there, or none that is marked, and decoders of ffmpeg 5 report each frame of Theora that
        // is skipped as an error. After the last frame of a file with a wrong duration there is nothing.
        const keyframes = yield* run(from(at, keyframesOnly)).pipe(
          Effect.catchIf(
            (error) => error._tag === "FfmpegFailed" && error.gaveUp,
            () => Effect.succeed([])
          )
        )
        if ((keyframes.at(-1)?.frame ?? 0) > 0) return
        for (const work of [from(at, []), ...(at > 0 ? [from(0, [])] : [])]) {
          const reports = yield* run(work)
          if ((reports.at(-1)?.frame ?? 0) > 0) return
        }
      })

      const exact = Effect.fn("Frames.exact")(function* (
        source: string,
        video: VideoStream,
        { at, path }: { readonly at: number; readonly path: string }
      ) {
        const output = ["-map", `0:${video.stream}`, "-vf", stillFilters(video, 1, tools.report.features), ...png]
        // Between the last frame and the end of the audio there is no frame, but the keyframe before is close.
        for (const accurate of [[], ["-noaccurate_seek"]]) {
          const options = [...accurate, "-ss", at.toFixed(3)]
          const reports = yield* run({
            inputs: [{ path: source, kind: "upload", options }],
            outputs: [{ path, options: output }]
          })
          if ((reports.at(-1)?.frame ?? 0) > 0) return
        }
      })

      const attached = Effect.fn("Frames.attached")(function* (source: string, stream: string, path: string) {
        yield* run({
          inputs: [{ path: source, kind: "upload" }],
          outputs: [{ path, options: ["-map", `0:${stream}`, ...png] }]
        })
      })

      return Frames.of({ representative, exact, attached })
    })
  )
}
