import { Context, Effect, Layer, type Scope } from "effect"
import type { ToolMissing } from "../errors/MediaErrors.ts"
import { Sandbox } from "../process/Sandbox.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import { Tools } from "../tools/Tools.ts"
import { pulledLiveArguments, type PulledLiveWork } from "./PulledLiveArguments.ts"
import { type Segmenting, startSegmenting } from "./Segmenting.ts"

/** Cuts live streams of servers into segments. `resolution` of a segment is the place of its version. */
export class PulledLive extends Context.Service<
  PulledLive,
  {
    /** Starts to read. ffmpeg is ended when the scope closes. */
    start(work: PulledLiveWork): Effect.Effect<Pick<Segmenting, "next">, ToolMissing, Scope.Scope>
  }
>()("@kinora/media/live/PulledLive") {
  static readonly layer = Layer.effect(
    PulledLive,
    Effect.gen(function* () {
      const tools = yield* Tools
      const sandbox = yield* Sandbox
      const settings = yield* MediaSettings

      const start = Effect.fnUntraced(function* (work: PulledLiveWork) {
        const program = yield* tools.path("ffmpeg")
        const limits = { memory: settings.encodeMemory, fileSize: settings.fileSize, network: true }
        const [command, args] = sandbox.wrap(program, pulledLiveArguments(work), limits)
        const { next } = yield* startSegmenting(command, args, work.directory)
        return { next }
      })

      return PulledLive.of({ start })
    })
  )
}
