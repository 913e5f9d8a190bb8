import { Context, Effect, FileSystem, Layer, Option, Stream } from "effect"
import { type FfmpegFailed, ProbeFailed, type ToolMissing, UnsupportedMedia } from "../errors/MediaErrors.ts"
import { codecWhitelist, formatWhitelist } from "../process/AllowList.ts"
import { ffmpegArguments, fileUrl } from "../process/FfmpegCommand.ts"
import { FfmpegProcess } from "../process/FfmpegProcess.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import { refusal } from "./Limits.ts"
import type { MediaInfo } from "./MediaInfo.ts"
import { readPackets } from "./Packets.ts"
import { decodeProbeOutput, decodeRawOutput, type RawOutput } from "./ProbeOutput.ts"
import * as Read from "./ReadStreams.ts"

const maxOutput = 16 * 1024 ** 2
const looked = 30

const notMedia = () => new ProbeFailed({ reason: "not-media", detail: "The file is not a video or sound file we can read." })

/** ISO base media files begin with one of these boxes: only they can be blamed for a missing index. */
const looksLikeMp4 = (head: Uint8Array): boolean =>
  ["ftyp", "moov", "mdat", "free", "skip", "wide"].includes(String.fromCharCode(...head.subarray(4, 8)))

/** What a failed run says about the file. The tool's own words name paths, so they stay in the log. */
const explain = (failure: FfmpegFailed, head: Uint8Array): ProbeFailed | UnsupportedMedia => {
  const said = failure.stderr.join("\n")
  const codec = /Codec \((\w+)\) not on whitelist/.exec(said)?.[1]
  if (codec !== undefined) {
    return new UnsupportedMedia({ reason: "codec", detail: `Videos with the codec ${codec} are not accepted.` })
  }
  if (failure.reason === "timeout") {
    return new ProbeFailed({ reason: "timeout", detail: "Looking into the file took too long; it is probably damaged." })
  }
  if (failure.reason === "output") {
    return new ProbeFailed({ reason: "too-much-output", detail: "The file describes more than a video can hold." })
  }
  const cut = /moov atom not found|error reading header|truncated|End of file|Cannot allocate memory/i.test(said)
  if (failure.reason === "signal" || (cut && looksLikeMp4(head))) {
    return new ProbeFailed({ reason: "damaged", detail: "The file is damaged or incomplete." })
  }
  return notMedia()
}

const withoutPath = (raw: RawOutput): MediaInfo["raw"] => {
  const { filename: _, ...format } = raw.format
  return { format, streams: raw.streams, chapters: raw.chapters ?? [] }
}

/**
 * Tells what a file is, by its bytes. Bounded in time, memory and output; `UnsupportedMedia` is a readable file that is refused,
 * `ProbeFailed` one that cannot be read.
 */
export class Probe extends Context.Service<
  Probe,
  {
    /** `path` is absolute. */
    probe(path: string): Effect.Effect<MediaInfo, ProbeFailed | UnsupportedMedia | ToolMissing>
  }
>()("@kinora/media/probe/Probe") {
  static readonly layer = Layer.effect(
    Probe,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const process = yield* FfmpegProcess
      const settings = yield* MediaSettings
      const limits = { memory: settings.probeMemory, fileSize: 0, cpuSeconds: 60 }

      const ask = (path: string, head: Uint8Array, args: ReadonlyArray<string>) =>
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
          .pipe(
            Effect.tapError((failure) => Effect.logDebug("ffprobe failed", failure)),
            Effect.catchTag("FfmpegFailed", (failure) => Effect.fail(explain(failure, head)))
          )

      const look = Effect.fnUntraced(
        function* (path: string) {
          const file = yield* fs.open(path, { flag: "r" })
          const head = Option.getOrElse(yield* file.readAlloc(16, { position: 0n }), () => new Uint8Array(0))
          return { head, size: Number((yield* file.stat).size) }
        },
        Effect.scoped,
        Effect.mapError(() => new ProbeFailed({ reason: "missing", detail: "The file is not there." }))
      )

      /** Recordings from browsers say no length: read the packets to the end. */
      const measure = Effect.fnUntraced(function* (path: string, head: Uint8Array) {
        const args = ffmpegArguments({
          inputs: [{ path, kind: "upload" }],
          outputs: [{ path: "/dev/null", options: ["-map", "0", "-c", "copy", "-f", "null"] }]
        })
        const invocation = { tool: "ffmpeg", args, timeout: settings.probeTimeout, limits } as const
        const reports = yield* Stream.runCollect(process.progress(invocation, 0)).pipe(
          Effect.catchTag("FfmpegFailed", (failure) => Effect.fail(explain(failure, head)))
        )
        return reports.at(-1)?.seconds ?? 0
      })

      const probe = Effect.fn("Probe.probe")(function* (path: string) {
        const { head, size } = yield* look(path)
        const json = yield* ask(path, head, ["-of", "json", "-show_format", "-show_streams", "-show_chapters"])
        const output = yield* Effect.mapError(decodeProbeOutput(json), notMedia)
        const raw = yield* Effect.mapError(decodeRawOutput(json), notMedia)

        const refused = refusal(output, settings)
        if (refused !== undefined) return yield* refused
        const video = Read.readVideoStream(output)
        const audio = Read.readAudioStreams(output)

        const shown = video?.index ?? audio[0]?.index ?? 0
        const entries = ["-select_streams", String(shown), "-show_entries", "packet=pts_time,flags"]
        const packets = readPackets(yield* ask(path, head, [...entries, "-read_intervals", `%+${looked}`, "-of", "csv=p=0"]))
        if (packets.count === 0) {
          return yield* new UnsupportedMedia({ reason: "no-frames", detail: "The file holds no pictures and no sound." })
        }

        const duration = Read.readDuration(output) ?? (yield* measure(path, head))
        if (!(duration > 0)) {
          return yield* new UnsupportedMedia({ reason: "no-duration", detail: "The file has no length." })
        }
        if (duration > settings.maxDuration) {
          return yield* new UnsupportedMedia({ reason: "too-long", detail: "The file says it is longer than allowed." })
        }

        const info: MediaInfo = {
          container: output.format.format_name.split(",")[0] ?? "",
          duration,
          size,
          bitrate: Read.positive(output.format.bit_rate),
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
      })

      return Probe.of({ probe })
    })
  )
}
