import { Context, Effect, Layer, Stream } from "effect"
import type { FfmpegFailed, ToolMissing } from "../errors/MediaErrors.ts"
import { ffmpegArguments } from "../process/FfmpegCommand.ts"
import { FfmpegProcess } from "../process/FfmpegProcess.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"

/** What to cut from a file: one stream and its time range. */
export interface CutOptions {
  /** Absolute paths. */
  readonly source: string
  readonly path: string
  /** As ffmpeg names it within the file: `v:0`. */
  readonly stream: string
  /** Seconds from the start of the file. Absent: all of it. */
  readonly range?: { readonly seek: number; readonly to: number } | undefined
}

/**
 * Seconds added to the times in a cut: NUT allows no negative times, and audio may begin with some. Whole seconds are
 * whole ticks in every time base.
 */
export const cutShift = 100

/** Input options for a cut: its frames get the times they have in the original file. */
export const cutInput: ReadonlyArray<string> = ["-itsoffset", String(-cutShift)]

/** Cuts streams out of files by stream copy, with their original times, exact to the tick. */
export class Cut extends Context.Service<
  Cut,
  { readonly cut: (options: CutOptions) => Effect.Effect<void, FfmpegFailed | ToolMissing> }
>()("@kinora/media/parts/Cut") {
  static readonly layer = Layer.effect(
    Cut,
    Effect.gen(function* () {
      const process = yield* FfmpegProcess
      const settings = yield* MediaSettings
      const limits = { memory: settings.encodeMemory, fileSize: settings.fileSize }

      const cut = Effect.fn("Cut.cut")(function* ({ path, range, source, stream }: CutOptions) {
        const work = {
          globals: ["-copyts", "-start_at_zero"],
          inputs: [
            {
              path: source,
              kind: "upload",
              options: range === undefined || range.seek <= 0 ? [] : ["-ss", range.seek.toFixed(6)]
            }
          ],
          outputs: [
            {
              path,
              options: [
                ...(range === undefined ? [] : ["-to", range.to.toFixed(6)]),
                ...["-map", `0:${stream}`, "-c", "copy", "-map_metadata", "-1", "-map_chapters", "-1"],
                // The time base of the file or a finer one. Nothing is moved except by the shift.
                ...["-output_ts_offset", String(cutShift), "-avoid_negative_ts", "disabled", "-f", "nut"]
              ]
            }
          ]
        } as const
        const invocation = {
          tool: "ffmpeg",
          args: ffmpegArguments(work),
          timeout: settings.encodeTimeout,
          limits
        } as const
        yield* Stream.runDrain(process.progress(invocation, 0))
      })

      return Cut.of({ cut })
    })
  )
}
