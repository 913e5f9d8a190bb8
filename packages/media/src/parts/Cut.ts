import { Context, Effect, Layer, Stream } from "effect"
import type { FfmpegFailed, ToolMissing } from "../errors/MediaErrors.ts"
import { ffmpegArguments } from "../process/FfmpegCommand.ts"
import { FfmpegProcess } from "../process/FfmpegProcess.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"

/** What is to be cut out of a file: one stream, and the time range of it. */
export interface CutOptions {
  /** Absolute paths. */
  readonly source: string
  readonly path: string
  /** As ffmpeg names it within the file: `v:0`. */
  readonly stream: string
  /** Seconds from the beginning of the file; absent: all of it. */
  readonly range?: { readonly seek: number; readonly to: number } | undefined
}

/**
 * Seconds by which the times in a cut are later than in the file: NUT knows no negative times, and sound begins with some. Whole
 * seconds are whole ticks of every clock.
 */
export const cutShift = 100

/** Options of the input that a cut is: its pictures get the times they have in the file. */
export const cutInput: ReadonlyArray<string> = ["-itsoffset", String(-cutShift)]

/** Cuts streams out of files by stream copy, with the times they have there, exact to the tick. */
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
                // Ticks of the file or finer ones; nothing is moved but by the shift.
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
