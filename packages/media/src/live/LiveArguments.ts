import { codecWhitelist, formatWhitelist } from "../process/AllowList.ts"
import { fileUrl } from "../process/FfmpegCommand.ts"
import type { MediaInfo } from "../probe/MediaInfo.ts"
import type { Rendition } from "../ladder/Rendition.ts"
import type { ToolFeatures } from "../tools/ToolFeatures.ts"
import { pictureLabel, renditionGraph } from "../transcode/FilterGraph.ts"
import type { LiveOutput } from "./LivePlan.ts"

type Options = ReadonlyArray<string>

/** Segments in fragmented MP4. */
export interface Fragmentation {
  /** The least seconds of a part of a segment; undefined where segments are not offered in parts. */
  readonly partSeconds: number | undefined
}

/** One run of ffmpeg over a live stream. */
export interface LiveWork {
  readonly info: MediaInfo
  readonly outputs: ReadonlyArray<LiveOutput>
  /** Absolute path of an existing folder. */
  readonly directory: string
  /** Begins the name of every segment of this run. */
  readonly prefix: string
  readonly segmentSeconds: number
  /** Whether a short delay counts more than quality. */
  readonly lowLatency: boolean
  /** Encoder threads of each version; 0 lets the encoder choose. */
  readonly threads: number
  /** Absent: segments are MPEG transport streams. */
  readonly fragments?: Fragmentation | undefined
}

/** The name of a version's segments, with the number that ffmpeg puts in. */
const pattern = ({ prefix }: LiveWork, { resolution }: LiveOutput): string => `${prefix}-${resolution}-%06d.ts`

/**
 * Encoded versions have their keyframes where the publisher has them, so that all are cut at the same times. Where nothing is
 * passed through, they have one for each segment.
 */
const keyframes = (work: LiveWork): Options =>
  work.outputs.some(({ picture }) => picture === "copy")
    ? ["-force_key_frames", "source", "-g", "100000"]
    : ["-force_key_frames", `expr:gte(t,n_forced*${work.segmentSeconds})`, "-g", "100000"]

const x264 = ({ bufferSize, crf, maxRate }: Rendition, work: LiveWork): Options => [
  ...["-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high", "-pix_fmt", "yuv420p", "-bf", "0"],
  ...["-crf", String(crf), "-maxrate", String(maxRate), "-bufsize", String(bufferSize / 2), "-sc_threshold", "0"],
  ...keyframes(work),
  ...(work.lowLatency ? ["-tune", "zerolatency"] : []),
  ...(work.threads > 0 ? ["-threads", String(work.threads)] : [])
]

const sounds: Readonly<Record<LiveOutput["sound"], Options>> = {
  none: ["-an"],
  copy: ["-c:a", "copy"],
  encode: ["-c:a", "aac", "-b:a", "128k", "-ac", "2", "-ar", "48000", "-af", "aresample=async=1"]
}

/**
 * Closed segments are listed on the standard output, a line each. All of a run continue one transport stream. The cut is a
 * little early: a keyframe a frame before the full length begins the next segment. ffmpeg lists a segment before it closes the
 * file: without `flush_packets` some of what is listed is not written yet.
 */
const segments = (work: LiveWork, output: LiveOutput): Options => [
  ...["-f", "segment", "-segment_format", "mpegts", "-segment_time", String(work.segmentSeconds - 0.1)],
  ...["-individual_header_trailer", "0", "-segment_list", "pipe:1", "-segment_list_type", "csv"],
  ...["-segment_format_options", "flush_packets=1"],
  ...["-map_metadata", "-1", "-max_interleave_delta", "1000000", "-max_muxing_queue_size", "4096"],
  fileUrl(`${work.directory}/${pattern(work, output)}`)
]

/** The descriptor that ffmpeg writes the fragments of a version to. */
const fragmentDescriptor = (index: number): number => 3 + index

/**
 * A stream of fragments, on a descriptor of its own. A fragment ends before each keyframe, and where parts are wanted when it
 * has their length, of whichever track comes first. A stream without pictures has no keyframes that would end it.
 */
const fragments = (work: LiveWork, output: LiveOutput, { partSeconds }: Fragmentation): Options => {
  const longest = partSeconds ?? (output.picture === "none" ? work.segmentSeconds : undefined)
  return [
    ...["-f", "mp4", "-movflags", "+frag_keyframe+empty_moov+default_base_moof+skip_trailer"],
    ...(longest === undefined ? [] : ["-frag_duration", String(Math.round(longest * 1_000_000))]),
    // The name of the sample entry that players of Apple want.
    ...(output.codec === "hevc" ? ["-tag:v", "hvc1"] : []),
    ...["-flush_packets", "1", "-map_metadata", "-1", "-max_interleave_delta", "1000000"],
    ...["-max_muxing_queue_size", "4096", `pipe:${fragmentDescriptor(work.outputs.indexOf(output))}`]
  ]
}

const muxed = (work: LiveWork, output: LiveOutput): Options =>
  work.fragments === undefined ? segments(work, output) : fragments(work, output, work.fragments)

/** The arguments of a run that reads an FLV stream from its standard input. */
export const liveArguments = (work: LiveWork, features: ToolFeatures): ReadonlyArray<string> => {
  const { info, outputs } = work
  const { video } = info
  const encoded = outputs.flatMap(({ picture }) => (typeof picture === "string" ? [] : [picture]))
  const graph =
    video === undefined || encoded.length === 0 ? "" : renditionGraph(`0:${video.stream}`, video, encoded, features)
  const [audio] = info.audio
  const picture = (output: LiveOutput): Options => {
    if (output.picture === "none" || video === undefined) return ["-vn"]
    if (output.picture === "copy") return ["-map", `0:${video.stream}`, "-c:v", "copy"]
    return ["-map", pictureLabel(encoded.indexOf(output.picture)), ...x264(output.picture, work)]
  }
  const sound = (output: LiveOutput): Options =>
    audio === undefined ? ["-an"] : ["-map", `0:${audio.stream}`, ...sounds[output.sound]]
  return [
    ...["-hide_banner", "-nostdin", "-loglevel", "error", "-nostats"],
    ...["-protocol_whitelist", "pipe,file", "-format_whitelist", formatWhitelist("live")],
    ...["-codec_whitelist", codecWhitelist("live"), "-probesize", "2000000", "-analyzeduration", "1000000"],
    ...["-f", "flv", "-i", "pipe:0"],
    ...(graph === "" ? [] : ["-filter_complex", graph]),
    ...outputs.flatMap((output) => [...picture(output), ...sound(output), ...muxed(work, output)])
  ]
}
