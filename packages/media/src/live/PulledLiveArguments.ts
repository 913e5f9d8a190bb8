import { peakRate } from "../ladder/Ladder.ts"
import { codecWhitelist } from "../process/AllowList.ts"
import { fileUrl } from "../process/FfmpegCommand.ts"

type Options = ReadonlyArray<string>

/** A version as runner jobs describe it: the shorter side (0: sound alone), and whole frames per second (0: unchanged). */
export interface PulledVersion {
  readonly resolution: number
  readonly fps: number
}

/** A live stream that is read from a server. */
export interface PulledLiveWork {
  /** An address of RTMP or RTMPS. */
  readonly url: string
  readonly versions: ReadonlyArray<PulledVersion>
  /** Absolute path of an existing folder. */
  readonly directory: string
  readonly segmentSeconds: number
  /** Encoder threads of each version; 0 lets the encoder choose. */
  readonly threads: number
}

const crf = 23
/** The frame rate that peak rates are for when a job names none. */
const usualFps = 30
/** A server that sends nothing for so many microseconds is gone. */
const silentMicros = 30_000_000

const evenNear = (value: number): number => Math.max(2, Math.round(value / 2) * 2)

/** Scales the shorter side, however the picture stands, without knowing its size beforehand. */
const filter = ({ fps, resolution }: PulledVersion, index: number): string => {
  const side = evenNear(resolution)
  const scale = `scale=w='if(gt(iw,ih),-2,${side})':h='if(gt(iw,ih),${side},-2)'`
  return `[s${index}]${fps > 0 ? `fps=${fps},` : ""}${scale},format=yuv420p[v${index}]`
}

const graph = (versions: ReadonlyArray<PulledVersion>): Options => {
  const pictures = versions.flatMap((version, index) => (version.resolution > 0 ? [{ version, index }] : []))
  if (pictures.length === 0) return []
  const split = `[0:v:0]split=${pictures.length}${pictures.map(({ index }) => `[s${index}]`).join("")}`
  return ["-filter_complex", [split, ...pictures.map(({ index, version }) => filter(version, index))].join(";")]
}

const picture = ({ fps, resolution }: PulledVersion, index: number, work: PulledLiveWork): Options => {
  if (resolution === 0) return ["-vn", "-map", "0:a:0"]
  const rate = peakRate((resolution * 16) / 9, resolution, fps > 0 ? fps : usualFps)
  return [
    ...["-map", `[v${index}]`, "-map", "0:a:0?", "-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high"],
    ...["-bf", "0", "-crf", String(crf), "-maxrate", String(rate), "-bufsize", String(rate), "-sc_threshold", "0"],
    ...["-force_key_frames", `expr:gte(t,n_forced*${work.segmentSeconds})`, "-g", "100000"],
    ...(work.threads > 0 ? ["-threads", String(work.threads)] : [])
  ]
}

/** The same options as for lives that this program receives itself (`LiveArguments`): segments are cut at keyframes. */
const segments = (work: PulledLiveWork, index: number): Options => [
  ...["-c:a", "aac", "-b:a", "128k", "-ac", "2", "-ar", "48000", "-af", "aresample=async=1"],
  ...["-f", "segment", "-segment_format", "mpegts", "-segment_time", String(work.segmentSeconds - 0.1)],
  ...["-individual_header_trailer", "0", "-segment_list", "pipe:1", "-segment_list_type", "csv"],
  ...["-segment_format_options", "flush_packets=1"],
  ...["-map_metadata", "-1", "-max_interleave_delta", "1000000", "-max_muxing_queue_size", "4096"],
  fileUrl(`${work.directory}/version-${index}-%06d.ts`)
]

/** The arguments of a run that reads a stream from a server. Segments are named after the place of their version. */
export const pulledLiveArguments = (work: PulledLiveWork): ReadonlyArray<string> => [
  ...["-hide_banner", "-nostdin", "-loglevel", "error", "-nostats"],
  ...["-protocol_whitelist", "rtmp,rtmps,tcp,tls,pipe,file", "-format_whitelist", "flv,live_flv"],
  ...["-codec_whitelist", codecWhitelist("live"), "-probesize", "2000000", "-analyzeduration", "2000000"],
  ...["-rw_timeout", String(silentMicros), "-i", work.url],
  ...graph(work.versions),
  ...work.versions.flatMap((version, index) => [...picture(version, index, work), ...segments(work, index)])
]
