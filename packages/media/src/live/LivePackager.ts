import { type Cause, Context, Effect, Layer, Queue, type Scope } from "effect"
import { FfmpegFailed, type ToolMissing } from "../errors/MediaErrors.ts"
import { childStdin } from "../process/ChildStdin.ts"
import { countRun } from "../process/RunMetrics.ts"
import { childOptions, Sandbox } from "../process/Sandbox.ts"
import { stderrTail } from "../process/StderrTail.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import { Tools } from "../tools/Tools.ts"
import { liveArguments, type LiveWork, segmentPlace } from "./LiveArguments.ts"

/** A segment that is complete on disk. */
export interface ClosedSegment {
  /** The version that it belongs to; 0 is sound alone. */
  readonly resolution: number
  /** Counts from 0 in each version and run. */
  readonly number: number
  /** Absolute path. */
  readonly path: string
  readonly seconds: number
}

/** A live stream that is being cut into segments. */
export interface LiveRun {
  /** Takes bytes of the FLV stream. Suspends while ffmpeg is behind. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void>
  /** Says that the stream is over. The last segments follow. */
  readonly close: Effect.Effect<void>
  /** The next segment, in the order in which they close. Fails with `Done` after the last one. */
  readonly next: Effect.Effect<ClosedSegment, FfmpegFailed | Cause.Done>
}

/** Reads a line of ffmpeg's list: name, start, end. */
const readLine = (directory: string, line: string): ClosedSegment | undefined => {
  const [name = "", start = "", end = ""] = line.split(",")
  const place = segmentPlace(name)
  const seconds = Number(end) - Number(start)
  return place === undefined || !(seconds > 0) ? undefined : { ...place, path: `${directory}/${name}`, seconds }
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
        const outcome = yield* countRun("ffmpeg")
        const errors = stderrTail()
        const queue = yield* Queue.unbounded<ClosedSegment, FfmpegFailed | Cause.Done>()
        const child = yield* childStdin({
          command,
          args,
          env: childOptions.env,
          onMessage: errors.add,
          onLine: (line) => {
            const segment = readLine(work.directory, line)
            if (segment !== undefined) Queue.offerUnsafe(queue, segment)
          }
        })
        const ended = Effect.gen(function* () {
          const { code, failure } = yield* child.ended
          if (failure === undefined && code === 0) {
            outcome("ok")
            return yield* Queue.end(queue)
          }
          if (failure !== undefined) errors.add(failure.message)
          const reason = failure === undefined ? (code === null ? "signal" : "exit") : "spawn"
          outcome(reason)
          const known = code === null ? {} : { exitCode: code }
          return yield* Queue.fail(queue, new FfmpegFailed({ tool: "ffmpeg", reason, stderr: errors.lines, ...known }))
        })
        yield* Effect.forkScoped(ended)
        return { write: child.write, close: child.close, next: Queue.take(queue) } satisfies LiveRun
      })

      return LivePackager.of({ start })
    })
  )
}
