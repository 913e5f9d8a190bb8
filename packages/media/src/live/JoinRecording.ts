import { Context, Effect, FileSystem, Layer, Path, type PlatformError, Stream } from "effect"
import { FfmpegFailed, type ToolMissing } from "../errors/MediaErrors.ts"
import { codecWhitelist, formatWhitelist } from "../process/AllowList.ts"
import { childStdin } from "../process/ChildStdin.ts"
import { fileUrl } from "../process/FfmpegCommand.ts"
import { FfmpegProcess } from "../process/FfmpegProcess.ts"
import { childOptions, Sandbox } from "../process/Sandbox.ts"
import { stderrTail } from "../process/StderrTail.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import { Tools } from "../tools/Tools.ts"

/**
 * The segments of one version of a live, in their order: each run is one stream with its own times. In runs of fragmented MP4
 * the initialization section comes first.
 */
export interface RecordedVersion {
  readonly resolution: number
  readonly runs: ReadonlyArray<ReadonlyArray<string>>
}

/** The file of one of several runs of a version, below the folder they are joined in. */
export const joinedRun = (directory: string, resolution: number, index: number): string =>
  `${directory}/recorded-${resolution}-${index}.mp4`

export type RecordingError = FfmpegFailed | ToolMissing | PlatformError.PlatformError

const quiet = ["-hide_banner", "-nostdin", "-loglevel", "error", "-y"]
const allowed = [
  ...["-protocol_whitelist", "file,pipe", "-format_whitelist", formatWhitelist("recording")],
  ...["-codec_whitelist", codecWhitelist("recording")]
]
const copied = ["-map", "0:v?", "-map", "0:a?", "-c", "copy", "-map_metadata", "-1"]
const mp4 = ["-movflags", "+faststart", "-f", "mp4"]

/** A path in a list of the concat demuxer, in which a quote ends the name. */
const quoted = (path: string): string => `file '${path.replaceAll("'", String.raw`'\''`)}'`

/** Joins the segments of recorded lives into files, by stream copy. */
export class JoinRecording extends Context.Service<
  JoinRecording,
  {
    /**
     * Writes one MP4 file with all runs after each other, below an existing folder, and returns its path. Segments that are
     * not whole, as the last one of a node that was killed, are taken as far as they go.
     */
    join(version: RecordedVersion, directory: string): Effect.Effect<string, RecordingError>
  }
>()("@kinora/media/live/JoinRecording") {
  static readonly layer = Layer.effect(
    JoinRecording,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const tools = yield* Tools
      const sandbox = yield* Sandbox
      const process = yield* FfmpegProcess
      const settings = yield* MediaSettings
      const limits = { memory: settings.encodeMemory, fileSize: settings.fileSize, background: true }

      /** A run as one file: the bytes of its segments after each other are the stream. */
      const joinRun = Effect.fnUntraced(function* (segments: ReadonlyArray<string>, to: string) {
        const program = yield* tools.path("ffmpeg")
        const format = segments.at(-1)?.endsWith(".m4s") === true ? "mp4" : "mpegts"
        const args = [...quiet, ...allowed, "-f", format, "-i", "pipe:0", ...copied, ...mp4, fileUrl(to)]
        const [command, words] = sandbox.wrap(program, args, limits)
        const errors = stderrTail()
        const child = yield* childStdin({
          command,
          args: words,
          env: childOptions.env,
          onLine: () => {},
          onMessage: errors.add
        })
        for (const segment of segments) yield* Stream.runForEach(fs.stream(segment), child.write)
        yield* child.close
        const { code, failure } = yield* child.ended
        if (failure !== undefined) errors.add(failure.message)
        if (code === 0) return to
        return yield* new FfmpegFailed({
          tool: "ffmpeg",
          reason: failure === undefined ? (code === null ? "signal" : "exit") : "spawn",
          stderr: errors.lines,
          ...(code === null ? {} : { exitCode: code })
        })
      }, Effect.scoped)

      const join = Effect.fn("JoinRecording.join")(function* (
        { resolution, runs }: RecordedVersion,
        directory: string
      ) {
        const to = path.join(directory, `recorded-${resolution}.mp4`)
        const parts = yield* Effect.forEach(runs, (segments, index) =>
          joinRun(segments, runs.length === 1 ? to : joinedRun(directory, resolution, index))
        )
        if (parts.length === 1) return to
        const list = path.join(directory, `recorded-${resolution}.txt`)
        yield* fs.writeFileString(list, `${["ffconcat version 1.0", ...parts.map(quoted)].join("\n")}\n`)
        const args = [
          ...quiet,
          ...["-progress", "pipe:1", ...allowed, "-f", "concat", "-safe", "0", "-i", fileUrl(list), ...copied, ...mp4],
          fileUrl(to)
        ]
        yield* Stream.runDrain(process.progress({ tool: "ffmpeg", args, timeout: settings.encodeTimeout, limits }, 0))
        return to
      })

      return JoinRecording.of({ join })
    })
  )
}
