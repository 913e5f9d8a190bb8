import fluent from "fluent-ffmpeg/lib/fluent-ffmpeg.js"
import { type CodecKind, codecWhitelist, formatWhitelist } from "./AllowList.ts"

/** One input of an encode. `path` is absolute; `options` are ffmpeg input options, one array item each. */
export interface FfmpegInput {
  readonly path: string
  /** What the bytes may be: an upload, an image, or a file from our own encoder. */
  readonly kind: CodecKind
  readonly options?: ReadonlyArray<string>
}

/** One output of an encode. `path` is absolute. */
export interface FfmpegOutput {
  readonly path: string
  readonly options: ReadonlyArray<string>
}

export interface FfmpegWork {
  /** Options of the whole run, before the inputs: devices. */
  readonly globals?: ReadonlyArray<string>
  readonly inputs: ReadonlyArray<FfmpegInput>
  readonly filterGraph?: string | undefined
  readonly outputs: ReadonlyArray<FfmpegOutput>
  /** Seconds of wall clock between two progress reports. */
  readonly reportEvery?: number
}

/**
 * An absolute path for ffmpeg, with its protocol, so that nothing in the name (a leading `-`, a `|`, `http:`) can be
 * read as an option, a protocol or a pattern.
 */
export const fileUrl = (path: string): string => `file:${path}`

/**
 * The arguments of one ffmpeg run (CVE-2026-45578: arrays only, never a shell). fluent-ffmpeg only orders them;
 * docs/decisions says why it does not start the process.
 */
export const ffmpegArguments = (work: FfmpegWork): ReadonlyArray<string> => {
  // `presets` is set because its default is computed from a variable that ES modules lack.
  const command = fluent({ presets: "none" })
  for (const input of work.inputs) {
    command
      .input(fileUrl(input.path))
      .inputOptions(
        "-protocol_whitelist",
        "file,pipe",
        "-format_whitelist",
        formatWhitelist(input.kind),
        "-codec_whitelist",
        codecWhitelist(input.kind),
        ...(input.options ?? [])
      )
  }
  if (work.filterGraph !== undefined) command.complexFilter(work.filterGraph)
  for (const output of work.outputs) {
    const [first, ...rest] = output.options
    command.output(fileUrl(output.path))
    if (first !== undefined) command.outputOptions(first, ...rest, "-max_muxing_queue_size", "4096")
  }
  return [
    "-nostdin",
    "-hide_banner",
    "-loglevel",
    "error",
    "-progress",
    "pipe:1",
    "-stats_period",
    String(work.reportEvery ?? 0.5),
    "-y",
    ...(work.globals ?? []),
    ...command._getArguments()
  ]
}
