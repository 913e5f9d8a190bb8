import { Cause, Context, Effect, Layer, type Scope } from "effect"
import { FfmpegFailed, type ToolMissing } from "../errors/MediaErrors.ts"
import { codecWhitelist } from "../process/AllowList.ts"
import { childFilter } from "../process/ChildFilter.ts"
import { countRun } from "../process/RunMetrics.ts"
import { childOptions, Sandbox } from "../process/Sandbox.ts"
import { stderrTail } from "../process/StderrTail.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import { Tools } from "../tools/Tools.ts"

/** A live stream in a container other than FLV. */
export interface RemuxWork {
  readonly container: "mpegts" | "matroska"
  /** `copy`: it is AAC, and stays as it is. `encode`: it becomes AAC, whatever it is. */
  readonly sound: "copy" | "encode"
}

/** A live stream that is being remuxed. */
export interface RemuxRun {
  /** Takes bytes of the container. Suspends while ffmpeg is behind; does nothing once it has ended. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void>
  /** Says that the stream is over. The rest of the FLV stream follows. */
  readonly close: Effect.Effect<void>
  /** The next bytes of the FLV stream, for one reader, who slows ffmpeg down. Fails with `Done` after the last ones. */
  readonly next: Effect.Effect<Buffer, FfmpegFailed | Cause.Done>
}

/**
 * How much is looked at before the first output: MPEG transport streams always take the whole time, because streams may
 * appear at any moment. The bytes are those of the largest keyframe. It is kept: `-fflags nobuffer` would drop it, and with it
 * the first keyframe.
 */
const lookedAt = ["-analyzeduration", "500000", "-probesize", "10000000", "-fpsprobesize", "0"]

const sounds: Readonly<Record<RemuxWork["sound"], ReadonlyArray<string>>> = {
  copy: ["-c:a", "copy"],
  encode: ["-c:a", "aac", "-b:a", "160k", "-ac", "2", "-ar", "48000", "-af", "aresample=async=1"]
}

const argumentsOf = ({ container, sound }: RemuxWork): ReadonlyArray<string> => [
  ...["-hide_banner", "-nostdin", "-loglevel", "error", "-nostats", "-protocol_whitelist", "pipe"],
  ...["-format_whitelist", container, "-codec_whitelist", codecWhitelist("contained")],
  ...[...lookedAt, "-f", container, "-i", "pipe:0", "-map", "0:v:0?", "-map", "0:a:0?", "-c:v", "copy"],
  ...[...sounds[sound], "-map_metadata", "-1", "-max_interleave_delta", "1000000", "-flush_packets", "1"],
  ...["-flvflags", "no_duration_filesize", "-f", "flv", "pipe:1"]
]

/**
 * Turns live streams of other containers into FLV streams, one ffmpeg a stream. Video is copied: H.264 with the classic header,
 * HEVC, AV1 and VP9 with that of Enhanced RTMP; another codec fails.
 */
export class RemuxToFlv extends Context.Service<
  RemuxToFlv,
  {
    /** Starts a run. ffmpeg is killed when the scope closes. */
    start(work: RemuxWork): Effect.Effect<RemuxRun, ToolMissing, Scope.Scope>
  }
>()("@kinora/media/live/RemuxToFlv") {
  static readonly layer = Layer.effect(
    RemuxToFlv,
    Effect.gen(function* () {
      const tools = yield* Tools
      const sandbox = yield* Sandbox
      const settings = yield* MediaSettings

      const start = Effect.fnUntraced(function* (work: RemuxWork) {
        const program = yield* tools.path("ffmpeg")
        const limits = { memory: settings.encodeMemory, fileSize: settings.fileSize }
        const [command, args] = sandbox.wrap(program, argumentsOf(work), limits)
        const outcome = yield* countRun("ffmpeg")
        const errors = stderrTail()
        const child = yield* childFilter({ command, args, env: childOptions.env, onMessage: errors.add })
        const ended = Effect.gen(function* () {
          const { code, failure } = yield* child.ended
          if (failure === undefined && code === 0) {
            outcome("ok")
            return yield* Cause.done()
          }
          if (failure !== undefined) errors.add(failure.message)
          const reason = failure === undefined ? (code === null ? "signal" : "exit") : "spawn"
          outcome(reason)
          const known = code === null ? {} : { exitCode: code }
          return yield* new FfmpegFailed({ tool: "ffmpeg", reason, stderr: errors.lines, ...known })
        })
        const next = Effect.flatMap(child.next, (bytes) => (bytes === undefined ? ended : Effect.succeed(bytes)))
        return { write: child.write, close: child.close, next } satisfies RemuxRun
      })

      return RemuxToFlv.of({ start })
    })
  )
}
