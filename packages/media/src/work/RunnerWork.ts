import { Context, Data, Effect, Layer } from "effect"
import { Storyboard } from "../images/Storyboard.ts"
import { Probe } from "../probe/Probe.ts"
import { fileNames } from "../transcode/FileNames.ts"
import { Transcode, type TranscodeError, type TranscodeOptions } from "../transcode/Transcode.ts"
import { type RequestedRendition, type RequestedSprites, renditionFor, sheetFor } from "./RequestedOutputs.ts"

/** The requested output cannot be made from the source. */
export class NotMade extends Data.TaggedError("NotMade")<{ readonly message: string }> {}

/** One rendition to make. Encoder options not listed here are passed on unchanged. */
export interface RenditionOrder extends Omit<
  TranscodeOptions,
  "info" | "renditions" | "names" | "hls" | "webVideo" | "splitAudio" | "storyboard"
> {
  readonly asked: RequestedRendition
  /** Part of the names of the output files. */
  readonly token: string
  /** Whether the output is one MP4 with an HLS playlist, or a self-contained file. */
  readonly hls: boolean
  /** Whether the audio is left out, for a separate audio rendition. */
  readonly splitAudio: boolean
}

export interface SheetOrder {
  readonly source: string
  readonly directory: string
  readonly sprites: RequestedSprites
}

type ProbeError = Effect.Error<ReturnType<Probe["Service"]["probe"]>>
type SheetError = Effect.Error<ReturnType<Storyboard["Service"]["create"]>>

/**
 * The work of runner jobs, wherever it is done: one rendition, or a storyboard. All paths are absolute; the output goes
 * into the folder of the order.
 */
export class RunnerWork extends Context.Service<
  RunnerWork,
  {
    readonly rendition: (
      order: RenditionOrder
    ) => Effect.Effect<
      { readonly video: string; readonly playlist: string | undefined },
      NotMade | ProbeError | TranscodeError
    >
    /** A jpeg. */
    readonly sheet: (order: SheetOrder) => Effect.Effect<string, ProbeError | SheetError>
  }
>()("@kinora/media/work/RunnerWork") {
  static readonly layer = Layer.effect(
    RunnerWork,
    Effect.gen(function* () {
      const probe = yield* Probe
      const storyboard = yield* Storyboard
      const transcode = yield* Transcode

      const rendition = Effect.fn("RunnerWork.rendition")(function* ({ asked, token, ...order }: RenditionOrder) {
        const info = yield* probe.probe(order.source)
        const wanted = renditionFor(info, asked)
        if (wanted === undefined) return yield* new NotMade({ message: `The source has no ${asked.resolution}p` })
        const { renditions } = yield* transcode.transcode({
          ...order,
          info,
          renditions: [wanted],
          names: fileNames(token),
          webVideo: !order.hls,
          storyboard: undefined
        })
        const made = renditions.find(({ hasVideo }) => hasVideo === wanted.hasVideo)
        if (order.hls && made?.hls !== undefined) return { video: made.hls.file, playlist: made.hls.playlist }
        if (made?.web !== undefined) return { video: made.web.file, playlist: undefined }
        return yield* new NotMade({ message: "The encoder made no file" })
      })

      const sheet = Effect.fn("RunnerWork.sheet")(function* ({ directory, source, sprites }: SheetOrder) {
        const info = yield* probe.probe(source)
        const path = `${directory}/storyboard.jpg`
        yield* storyboard.create({ source, info, path, plan: sheetFor(info, sprites) })
        return path
      })

      return RunnerWork.of({ rendition, sheet })
    })
  )
}
