import { Context, Duration, Effect, Layer } from "effect"
import type { FfmpegFailed, ToolMissing } from "../errors/MediaErrors.ts"
import { type CodecKind, codecWhitelist, formatWhitelist } from "../process/AllowList.ts"
import { fileUrl } from "../process/FfmpegCommand.ts"
import { FfmpegProcess } from "../process/FfmpegProcess.ts"
import type { MediaInfo } from "../probe/MediaInfo.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import { cutShift } from "./Cut.ts"

/** The frames of a file, in display order. Times are seconds from the start of the file. */
export interface FrameTimes {
  readonly times: Float64Array
  /** Times of the keyframes. */
  readonly keyframes: Float64Array
  /** End of the last frame. */
  readonly end: number
}

/** Why the frames of a file cannot be identified by their times. */
export type UnknownTimes =
  | "hides frames between others"
  | "has pictures without a time"
  | "repeats times"
  | "has no frames"
  | "has too many pictures"

const number = (value: unknown): number => (typeof value === "string" || typeof value === "number" ? Number(value) : 0)

/** Limit for times kept in memory: more than ten hours at 100 frames per second. */
const maxPictures = 4_000_000

/** Parses lines of `pts,duration,flags` from ffprobe's CSV, chunk by chunk. */
export const packetReader = (tick: number, startsAt: number, max = maxPictures) => {
  const decoder = new TextDecoder()
  const times: Array<number> = []
  const hidden: Array<number> = []
  const keyframes: Array<number> = []
  let rest = ""
  let latest = Number.NEGATIVE_INFINITY
  let end = 0
  let reason: UnknownTimes | undefined

  const line = (text: string) => {
    if (reason !== undefined) return
    const [time, duration, flags] = text.split(",")
    if (flags === undefined) return
    if (times.length + hidden.length >= max) {
      reason = "has too many pictures"
      return
    }
    const at = Number(time)
    if (time === "" || !Number.isFinite(at)) {
      reason = "has pictures without a time"
      return
    }
    const seconds = at * tick - startsAt
    if (flags.includes("K")) keyframes.push(seconds)
    if (flags.includes("D")) {
      hidden.push(seconds)
      return
    }
    times.push(seconds)
    if (at > latest) {
      latest = at
      const length = Number(duration)
      end = seconds + (Number.isFinite(length) ? length * tick : 0)
    }
  }

  return {
    /** Whether further lines cannot change the answer. */
    isOver: () => reason !== undefined,
    add: (bytes: Uint8Array) => {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n")
      rest = lines.pop() ?? ""
      lines.forEach(line)
    },
    finish: (): FrameTimes | UnknownTimes => {
      line(rest)
      if (reason !== undefined) return reason
      if (times.length === 0) return "has no frames"
      const sorted = Float64Array.from(times).toSorted()
      const [first = 0] = sorted
      // Frames that were cut off without re-encoding. A cut does not mark them. Before and after the others they do no
      // harm.
      const between = hidden.some((time) => time > first && time < sorted.at(-1)!)
      const early = hidden.some((time) => time < first) && Math.abs(first) > tick / 2
      if (between || early) return "hides frames between others"
      if (sorted.some((time, index) => index > 0 && time - sorted[index - 1]! < tick / 2)) return "repeats times"
      return { times: sorted, keyframes: Float64Array.from(keyframes).toSorted(), end }
    }
  }
}

const ratio = (text: unknown): number => {
  const [over, under] = String(text).split("/").map(Number)
  return over !== undefined && under !== undefined && over > 0 && under > 0 ? over / under : 0
}

/** Maximum time for reading through a file. */
const timeout = Duration.minutes(30)

/** Reads the packets of files without decoding them. */
export class SourcePackets extends Context.Service<
  SourcePackets,
  {
    readonly read: (
      source: string,
      info: MediaInfo
    ) => Effect.Effect<FrameTimes | UnknownTimes, FfmpegFailed | ToolMissing>
    /** End of the audio in a cut, in seconds of the original file; 0 if there is none. */
    readonly audioEnd: (cut: string) => Effect.Effect<number, FfmpegFailed | ToolMissing>
  }
>()("@kinora/media/parts/SourcePackets") {
  static readonly layer = Layer.effect(
    SourcePackets,
    Effect.gen(function* () {
      const process = yield* FfmpegProcess
      const { probeMemory } = yield* MediaSettings
      const limits = { memory: probeMemory, fileSize: 0, background: true }

      /** The requested entries of a stream's packets as lines, chunk by chunk. */
      const packetLines = (path: string, stream: string, entries: string, kind: CodecKind) =>
        process.bytes({
          tool: "ffprobe",
          timeout,
          limits,
          args: [
            ...["-hide_banner", "-v", "error", "-protocol_whitelist", "file,pipe"],
            ...["-format_whitelist", formatWhitelist(kind), "-codec_whitelist", codecWhitelist(kind)],
            ...["-select_streams", stream, "-show_entries", `packet=${entries}`, "-of", "csv=p=0"],
            ...["-i", fileUrl(path)]
          ]
        })

      const read = Effect.fn("SourcePackets.read")(function* (source: string, info: MediaInfo) {
        const { video } = info
        const stream = info.raw.streams.filter((one) => "codec_type" in one && one.codec_type === "video")[
          Number(video?.stream.slice(2))
        ] as Readonly<Record<string, unknown>> | undefined
        const tick = ratio(stream?.["time_base"])
        if (video === undefined || tick === 0) return "has no frames"
        // ffmpeg shifts all times by the start time of the file, in whole ticks.
        const startsAt =
          Math.round(number((info.raw.format as { readonly start_time?: unknown }).start_time) / tick) * tick
        const reader = packetReader(tick, startsAt)
        const { next } = yield* packetLines(source, video.stream, "pts,duration,flags", "upload")
        for (;;) {
          const bytes = yield* next
          if (bytes === undefined || reader.isOver()) return reader.finish()
          reader.add(bytes)
        }
      }, Effect.scoped)

      const audioEnd = Effect.fn("SourcePackets.soundEnd")(function* (cut: string) {
        const { next } = yield* packetLines(cut, "a:0", "pts_time,duration_time", "cut")
        const decoder = new TextDecoder()
        let [rest, end] = ["", 0]
        const line = (text: string) => {
          const [at, length] = text.split(",").map(Number)
          if (Number.isFinite(at)) end = Math.max(end, at! - cutShift + (Number.isFinite(length) ? length! : 0))
        }
        for (;;) {
          const bytes = yield* next
          const lines = (rest + (bytes === undefined ? "\n" : decoder.decode(bytes, { stream: true }))).split("\n")
          rest = lines.pop() ?? ""
          lines.forEach((text) => text !== "" && line(text))
          if (bytes === undefined) return end
        }
      }, Effect.scoped)

      return SourcePackets.of({ read, audioEnd })
    })
  )
}
