import { type Cause, Context, Effect, Layer, type Scope } from "effect"
import type { FfmpegFailed, ToolMissing } from "../errors/MediaErrors.ts"
import { Sandbox } from "../process/Sandbox.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import { Tools } from "../tools/Tools.ts"
import { liveArguments, type LiveWork } from "./LiveArguments.ts"
import { type LiveMade, startFragmenting } from "./Fragmenting.ts"
import { startSegmenting } from "./Segmenting.ts"

/** A live stream that is being cut into segments. */
export interface LiveRun {
  /** Takes bytes of the FLV stream. Suspends while ffmpeg is behind. */
  readonly write: (parts: ReadonlyArray<Uint8Array>) => Effect.Effect<void>
  /** Says that the stream is over. The last segments follow. */
  readonly close: Effect.Effect<void>
  /** The next segment or part, in the order of each version. Fails with `Done` after the last one. */
  readonly next: Effect.Effect<LiveMade, FfmpegFailed | Cause.Done>
}

/** Cuts live streams into segments: one ffmpeg a stream, with one decode for all versions that are encoded. */
export class LivePackager extends Context.Service<
  LivePackager,
  {
    /** Starts a run. ffmpeg is ended when the scope closes. */
    start(work: LiveWork): Effect.Effect<LiveRun, ToolMissing, Scope.Scope>
  }
>()("@kinora/media/live/LivePackager") {
  static readonly layer = Layer.effect(
    LivePackager,
    Effect.gen(function* () {
      const tools = yield* Tools
      const sandbox = yield* Sandbox
      const settings = yield* MediaSettings

      const start = Effect.fnUntraced(function* (work: LiveWork) {
        const program = yield* tools.path("ffmpeg")
        const limits = { memory: settings.encodeMemory, fileSize: settings.fileSize }
        const [command, args] = sandbox.wrap(program, liveArguments(work, tools.report.features), limits)
        const { child, next } =
          work.fragments === undefined
            ? yield* startSegmenting(command, args, work.directory)
            : yield* startFragmenting(command, args, work)
        return { write: child.writeAll, close: child.close, next } satisfies LiveRun
      })

      return LivePackager.of({ start })
    })
  )
}
