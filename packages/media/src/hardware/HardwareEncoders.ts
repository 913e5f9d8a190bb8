import { Context, Duration, Effect, FileSystem, Layer, Path, type PlatformError } from "effect"
import type { FfmpegFailed, ToolMissing } from "../errors/MediaErrors.ts"
import type { Rendition } from "../ladder/Rendition.ts"
import type { VideoCodec } from "../ladder/VideoCodec.ts"
import { fileUrl } from "../process/FfmpegCommand.ts"
import { FfmpegProcess } from "../process/FfmpegProcess.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import { Tools } from "../tools/Tools.ts"
import { videoArguments } from "../transcode/EncoderArguments.ts"
import { addressSpace } from "../transcode/HardwareArguments.ts"
import {
  deviceArguments,
  encoderFilters,
  type HardwareEncoderName,
  type HardwareKind,
  type VideoEncoder
} from "../transcode/VideoEncoder.ts"

/** In order of preference: an encoder with constant quality under a cap first, the one with the fewest options last. */
const hardwareOrder = ["nvenc", "qsv", "vaapi", "amf"] as const satisfies ReadonlyArray<HardwareKind>

/** The result of trying an encoder. */
export interface EncoderTrial {
  readonly encoder: VideoEncoder
  readonly works: boolean
  /** Why it failed, as the tool says; empty if it works. */
  readonly words: string
}

export interface EncoderSearch {
  readonly codec: VideoCodec
  readonly kinds: ReadonlyArray<HardwareKind>
  /** Absolute path of the only device to try. Undefined: all devices. */
  readonly device: string | undefined
}

/** Short, with a keyframe in the middle that is checked. */
const trialSeconds = 2
const trialRate = 24
const trialFrames = trialSeconds * trialRate

const trialRendition = (codec: VideoCodec): Rendition => ({
  resolution: 360,
  width: 640,
  height: 360,
  frameRate: { text: String(trialRate), value: trialRate },
  keyframeEvery: trialRate,
  codec,
  crf: 24,
  maxRate: 1_300_000,
  bufferSize: 2_600_000,
  hasVideo: true
})

const encoderName = (codec: VideoCodec, kind: HardwareKind): HardwareEncoderName | undefined => {
  if (codec !== "vp9") return `${codec}_${kind}`
  return kind === "vaapi" || kind === "qsv" ? `vp9_${kind}` : undefined
}

/** The first lines come from the device. Later ones only say that ffmpeg has none. */
const shownLines = 2
const shownCharacters = 300

const toldBy = (error: FfmpegFailed, limit: Duration.Duration): string => {
  if (error.reason === "timeout") return `Nothing came of it within ${Duration.format(limit)}`
  const lines = error.stderr
    .slice(0, shownLines)
    .map((line) => line.replace(/^\[[^\]]* @ 0x[0-9a-f]+\]\s*/, "").replace(/[\s.]+$/, ""))
    .join("; ")
  return (lines === "" ? `${error.tool} ended (${error.reason} ${error.exitCode ?? ""})` : lines).slice(
    0,
    shownCharacters
  )
}

/**
 * Finds hardware encoders: each encodes a few frames with the real arguments, in the real sandbox, and the result is
 * checked. An encoder in ffmpeg's list only means that ffmpeg was built with it.
 */
export class HardwareEncoders extends Context.Service<
  HardwareEncoders,
  {
    /** Tries one after another, best first: two seconds of 640x360 each, within the time limit of a probe. */
    readonly search: (
      options: EncoderSearch
    ) => Effect.Effect<ReadonlyArray<EncoderTrial>, ToolMissing | PlatformError.PlatformError>
  }
>()("@kinora/media/hardware/HardwareEncoders") {
  static readonly layer = Layer.effect(
    HardwareEncoders,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { join } = yield* Path.Path
      const process = yield* FfmpegProcess
      const settings = yield* MediaSettings
      const tools = yield* Tools

      const timeout = settings.probeTimeout
      const limits = { memory: settings.encodeMemory, fileSize: 64 * 1024 ** 2 }
      /** Devices to try on machines with several graphics processors; undefined is the default one. */
      const devices = (kind: HardwareKind, device: string | undefined) =>
        device !== undefined || kind === "nvenc" || kind === "amf"
          ? Effect.succeed([device])
          : fs.readDirectory("/dev/dri").pipe(
              Effect.orElseSucceed((): ReadonlyArray<string> => []),
              Effect.map((names) => names.filter((name) => /^renderD\d+$/.test(name)).toSorted()),
              Effect.map((names) => (names.length === 0 ? [undefined] : names.map((name) => `/dev/dri/${name}`)))
            )

      const encode = (encoder: VideoEncoder, codec: VideoCodec, path: string) => {
        const graph = ["[0:v]format=yuv420p", "setsar=1", ...encoderFilters(encoder)].join(",")
        const picture = `testsrc2=size=640x360:rate=${trialRate}:duration=${trialSeconds}`
        return process.output(
          {
            tool: "ffmpeg",
            timeout,
            limits: { ...limits, memory: addressSpace(encoder, limits.memory) },
            args: [
              ...["-nostdin", "-hide_banner", "-loglevel", "error", "-y", ...deviceArguments(encoder)],
              ...["-f", "lavfi", "-i", picture, "-filter_complex", `${graph}[v0]`, "-map", "[v0]", "-an"],
              ...[...videoArguments(trialRendition(codec), settings, encoder), fileUrl(path)]
            ]
          },
          1024 ** 2
        )
      }

      /** What is wrong with the encoded frames. Empty if nothing is. */
      const judge = Effect.fnUntraced(function* (path: string, codec: VideoCodec) {
        const output = yield* process.output(
          {
            tool: "ffprobe",
            timeout,
            limits,
            args: [
              ...["-v", "error", "-select_streams", "v:0", "-show_entries", "stream=codec_name:packet=flags"],
              ...["-of", "default=noprint_wrappers=1", fileUrl(path)]
            ]
          },
          1024 ** 2
        )
        const values = (key: string) =>
          [...output.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].map(([, value]) => value ?? "")
        const [made] = values("codec_name")
        if (made !== codec) return `It made ${made ?? "no pictures"} instead of ${codec}`
        const flags = values("flags")
        if (flags.length !== trialFrames) return `It made ${flags.length} pictures of ${trialFrames}`
        const wrong = flags.some((flag, index) => flag.startsWith("K") !== (index % trialRate === 0))
        return wrong ? "Its keyframes are not where they are asked for" : ""
      })

      const trial = Effect.fn("HardwareEncoders.trial")(function* (encoder: VideoEncoder, codec: VideoCodec) {
        if (!tools.report.features.encoders.has(encoder.name))
          return { encoder, works: false, words: "This ffmpeg was built without it" }
        const path = join(yield* fs.makeTempDirectoryScoped({ prefix: "kinora-encoder-" }), "trial.mp4")
        const words = yield* encode(encoder, codec, path).pipe(
          Effect.andThen(judge(path, codec)),
          Effect.catchTag("FfmpegFailed", (error) => Effect.succeed(toldBy(error, timeout)))
        )
        return { encoder, works: words === "", words }
      }, Effect.scoped)

      const search = Effect.fn("HardwareEncoders.search")(function* ({ codec, device, kinds }: EncoderSearch) {
        yield* tools.path("ffmpeg")
        const candidates = yield* Effect.forEach(
          hardwareOrder.filter((kind) => kinds.includes(kind)),
          (kind) => {
            const name = encoderName(codec, kind)
            return name === undefined
              ? Effect.succeed([])
              : Effect.map(devices(kind, device), (found) =>
                  found.map((path): VideoEncoder => (path === undefined ? { name } : { name, device: path }))
                )
          }
        )
        return yield* Effect.forEach(candidates.flat(), (encoder) => trial(encoder, codec))
      })

      return HardwareEncoders.of({ search })
    })
  )
}
