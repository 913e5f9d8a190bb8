import { Context, Effect, FileSystem, Layer, Option, Result, Stream } from "effect"
import {
  type FfmpegFailed,
  ProbeFailed,
  type ToolMissing,
  type ToolNotStarted,
  UnsupportedMedia
} from "../errors/MediaErrors.ts"
import { codecWhitelist, formatWhitelist } from "../process/AllowList.ts"
import { ffmpegArguments, fileUrl, type FfmpegOutput } from "../process/FfmpegCommand.ts"
import { FfmpegProcess } from "../process/FfmpegProcess.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import { explain, notMedia } from "./Explain.ts"
import { refusal } from "./Limits.ts"
import type { MediaInfo } from "./MediaInfo.ts"
import { readPackets } from "./Packets.ts"
import { decodeProbeOutput, decodeRawOutput, type RawOutput } from "./ProbeOutput.ts"
import * as Read from "./ReadStreams.ts"

const maxOutput = 16 * 1024 ** 2
const looked = 30

const withoutPath = (raw: RawOutput): MediaInfo["raw"] => {
  const { filename: _, ...format } = raw.format
  return { format, streams: raw.streams, chapters: raw.chapters ?? [] }
}

/** Whether the tool crashed rather than refused the file: a signal, seen directly or in the wrapper's exit code. */
const crashed = (failure: FfmpegFailed): boolean => failure.reason === "signal" || (failure.exitCode ?? 0) > 128

/**
 * Identifies a file by its bytes. Limited in time, memory and output. `UnsupportedMedia` is a readable file that is
 * refused, `ProbeFailed` one that cannot be read. `ToolMissing` and `ToolNotStarted` say nothing about the file.
 */
export class Probe extends Context.Service<
  Probe,
  {
    /** `path` is absolute. */
    probe(path: string): Effect.Effect<MediaInfo, ProbeFailed | UnsupportedMedia | ToolMissing | ToolNotStarted>
    /** ffprobe's output without reading packets: half the work, for files that we made. */
    describe(
      path: string
    ): Effect.Effect<MediaInfo["raw"], ProbeFailed | UnsupportedMedia | ToolMissing | ToolNotStarted>
  }
>()("@kinora/media/probe/Probe") {
  static readonly layer = Layer.effect(
    Probe,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const process = yield* FfmpegProcess
      const settings = yield* MediaSettings
      const limits = { memory: settings.probeMemory, fileSize: 1024 ** 3, cpuSeconds: 60 }

      const ask = (path: string, args: ReadonlyArray<string>) =>
        process
          .output(
            {
              tool: "ffprobe",
              timeout: settings.probeTimeout,
              limits,
              args: [
                ...["-hide_banner", "-v", "error", "-protocol_whitelist", "file,pipe"],
                ...["-format_whitelist", formatWhitelist("upload"), "-codec_whitelist", codecWhitelist("upload")],
                ...args,
                ...["-i", fileUrl(path)]
              ]
            },
            maxOutput
          )
          .pipe(Effect.tapError((failure) => Effect.logDebug("ffprobe failed", failure)))

      const show = (path: string) => ask(path, ["-of", "json", "-show_format", "-show_streams", "-show_chapters"])

      const copy = (path: string, output: FfmpegOutput) => {
        const args = ffmpegArguments({ inputs: [{ path, kind: "upload" }], outputs: [output] })
        const invocation = { tool: "ffmpeg", args, timeout: settings.probeTimeout, limits } as const
        return Stream.runCollect(process.progress(invocation, 0))
      }

      /** Reads all packets of a file without a plausible duration. */
      const measure = Effect.fnUntraced(function* (path: string) {
        const reports = yield* copy(path, { path: "/dev/null", options: ["-map", "0", "-c", "copy", "-f", "null"] })
        return reports.at(-1)?.seconds ?? 0
      })

      const look = Effect.fnUntraced(
        function* (path: string) {
          const file = yield* fs.open(path, { flag: "r" })
          const head = Option.getOrElse(yield* file.readAlloc(16, { position: 0n }), () => new Uint8Array(0))
          return { head, size: Number((yield* file.stat).size) }
        },
        Effect.scoped,
        Effect.mapError(() => new ProbeFailed({ reason: "missing", detail: "The file is not there." }))
      )

      /**
       * A widespread static build of ffprobe crashes on every MPEG transport stream. In that case ffmpeg copies the
       * beginning into Matroska, and that file is described. Streams keep their names; container and duration are given
       * separately.
       */
      const readable = Effect.fnUntraced(function* (path: string) {
        const direct = yield* Effect.result(show(path))
        if (Result.isSuccess(direct)) return { path, json: direct.success, copied: false }
        if (direct.failure._tag !== "FfmpegFailed" || !crashed(direct.failure)) return yield* direct.failure
        const folder = yield* fs.makeTempDirectoryScoped({ prefix: "kinora-probe-" }).pipe(Effect.orDie)
        const beginning = `${folder}/beginning.mkv`
        const options = ["-map", "0:v?", "-map", "0:a?", "-c", "copy", "-t", String(looked * 2), "-f", "matroska"]
        yield* copy(path, { path: beginning, options })
        return { path: beginning, json: yield* show(beginning), copied: true }
      })

      const probe = Effect.fn("Probe.probe")(function* (path: string) {
        const { head, size } = yield* look(path)
        const blame = (failure: FfmpegFailed) => Effect.fail(explain(failure, head))
        const seen = yield* Effect.catchTag(readable(path), "FfmpegFailed", blame)
        const output = yield* Effect.mapError(decodeProbeOutput(seen.json), notMedia)
        const raw = yield* Effect.mapError(decodeRawOutput(seen.json), notMedia)

        const refused = refusal(output, settings)
        if (refused !== undefined) return yield* refused
        const video = Read.readVideoStream(output)
        const audio = Read.readAudioStreams(output)

        const shown = video?.stream ?? audio[0]?.stream ?? "a:0"
        const entries = ["-select_streams", shown, "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0"]
        const csv = ask(seen.path, [...entries, "-read_intervals", `%+${looked}`])
        const packets = readPackets(yield* Effect.catchTag(csv, "FfmpegFailed", blame))
        if (packets.count === 0) {
          return yield* new UnsupportedMedia({
            reason: "no-frames",
            detail: "The file has neither a video nor an audio stream."
          })
        }

        const declared = seen.copied ? undefined : Read.readDuration(output)
        const duration = declared ?? (yield* Effect.catchTag(measure(path), "FfmpegFailed", blame))
        if (!(duration > 0)) {
          return yield* new UnsupportedMedia({ reason: "no-duration", detail: "The file has no length." })
        }
        if (duration > settings.maxDuration) {
          return yield* new UnsupportedMedia({ reason: "too-long", detail: "The file is longer than allowed." })
        }

        const info: MediaInfo = {
          container: seen.copied ? "unknown" : (output.format.format_name.split(",")[0] ?? ""),
          duration,
          size,
          bitrate: seen.copied ? Math.round((size * 8) / duration) : Read.positive(output.format.bit_rate),
          video:
            video === undefined
              ? undefined
              : { ...video, keyframeInterval: packets.keyframeInterval, startsCut: packets.startsCut },
          audio,
          pictures: Read.readPictures(output),
          chapters: Read.readChapters(output),
          tags: Read.textTags(output.format.tags),
          raw: withoutPath(raw)
        }
        return info
      }, Effect.scoped)

      const describe = Effect.fn("Probe.describe")(function* (path: string) {
        const { head } = yield* look(path)
        const json = yield* Effect.catchTag(show(path), "FfmpegFailed", (failure) =>
          Effect.fail(explain(failure, head))
        )
        return withoutPath(yield* Effect.mapError(decodeRawOutput(json), notMedia))
      })

      return Probe.of({ probe, describe })
    })
  )
}
