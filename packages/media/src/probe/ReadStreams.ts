import { isDecodable } from "../process/AllowList.ts"
import type { AttachedPicture, AudioStream, Chapter, VideoStream } from "./MediaInfo.ts"
import type { ProbedStream, ProbeOutput } from "./ProbeOutput.ts"

/** A positive finite number from ffprobe's text. Undefined for `N/A`, negative and absurd values. */
export const positive = (text: string | undefined): number | undefined => {
  const value = text === undefined ? Number.NaN : Number(text)
  return Number.isFinite(value) && value > 0 ? value : undefined
}

const ratio = (text: string | undefined): number | undefined => {
  const [over, under] = (text ?? "").split(/[/:]/).map(Number)
  if (over === undefined || under === undefined || !(over > 0) || !(under > 0)) return undefined
  return over / under
}

const seconds = (text: string | undefined): number => {
  const value = Number(text ?? "0")
  return Number.isFinite(value) ? value : 0
}

const flag = (stream: ProbedStream, name: string): boolean => stream.disposition?.[name] === 1

/** Only text tags, at most 64 of at most 1000 characters each: a file can contain megabytes of them. */
export const textTags = (tags: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(tags ?? {})
      .flatMap(([key, value]) =>
        typeof value === "string" ? [[key.toLowerCase(), value.slice(0, 1000)] as const] : []
      )
      .slice(0, 64)
  )

const bitDepth = (stream: ProbedStream): number => {
  const named = /(?:p|gray|gbrap?|rgb|bgr|nv|x2rgb)(?:0)?(9|10|12|14|16)(?:msb)?(?:le|be)$/.exec(stream.pix_fmt ?? "")
  return Number(named?.[1] ?? 0) || Math.max(8, positive(stream.bits_per_raw_sample) ?? 8)
}

/** Clockwise quarter turns, from the display matrix (counter-clockwise there) or the older tag. */
const rotation = (stream: ProbedStream): number => {
  const matrix = stream.side_data_list?.find((data) => data.rotation !== undefined)?.rotation
  const tag = Number(textTags(stream.tags)["rotate"] ?? "0")
  const degrees = matrix === undefined ? tag : -matrix
  return Number.isFinite(degrees) ? (((Math.round(degrees / 90) * 90) % 360) + 360) % 360 : 0
}

const profile = (stream: ProbedStream): string | undefined =>
  stream.profile === undefined ? undefined : String(stream.profile)

const isPicture = (stream: ProbedStream): boolean => flag(stream, "attached_pic") || flag(stream, "timed_thumbnails")

/** ffmpeg's name for a stream: its index among those of its type. It survives a copy into another container. */
const streamName = (output: ProbeOutput, stream: ProbedStream): string =>
  `${stream.codec_type === "audio" ? "a" : "v"}:${ofType(output, stream.codec_type ?? "").indexOf(stream)}`

const readVideo = (name: string, stream: ProbedStream): VideoStream => {
  const codedWidth = stream.width ?? 0
  const codedHeight = stream.height ?? 0
  const aspect = ratio(stream.sample_aspect_ratio) ?? 1
  const anamorphic = Math.abs(aspect - 1) > 0.001
  const turned = rotation(stream)
  const shown = [Math.max(1, Math.round(codedWidth * aspect)), codedHeight] as const
  const [width, height] = turned % 180 === 0 ? shown : [shown[1], shown[0]]
  const average = ratio(stream.avg_frame_rate)
  const nominal = ratio(stream.r_frame_rate)
  // Without an average, the nominal rate may be that of the time base: use a plausible rate instead.
  const fps = average ?? (nominal !== undefined && nominal <= 240 ? nominal : 25)
  return {
    stream: name,
    codec: stream.codec_name ?? "unknown",
    profile: profile(stream),
    level: stream.level,
    pixelFormat: stream.pix_fmt ?? "unknown",
    bitDepth: bitDepth(stream),
    width,
    height,
    codedWidth,
    codedHeight,
    rotation: turned,
    anamorphic,
    fps,
    nominalFps: nominal ?? fps,
    variableFps: average !== undefined && nominal !== undefined && Math.abs(average - nominal) / nominal > 0.01,
    interlaced: ["tt", "bb", "tb", "bt"].includes(stream.field_order ?? ""),
    hdr: ["smpte2084", "arib-std-b67"].includes(stream.color_transfer ?? ""),
    colorTransfer: stream.color_transfer,
    colorPrimaries: stream.color_primaries,
    colorSpace: stream.color_space,
    colorRange: stream.color_range,
    bitrate: positive(stream.bit_rate),
    frames: positive(stream.nb_frames),
    keyframeInterval: undefined,
    startsCut: false,
    startTime: seconds(stream.start_time)
  }
}

const readAudio = (name: string, stream: ProbedStream): AudioStream => ({
  stream: name,
  codec: stream.codec_name ?? "unknown",
  profile: profile(stream),
  channels: stream.channels ?? 0,
  sampleRate: positive(stream.sample_rate) ?? 0,
  bitrate: positive(stream.bit_rate),
  language: textTags(stream.tags)["language"],
  startTime: seconds(stream.start_time)
})

const readPicture = (name: string, stream: ProbedStream): AttachedPicture => ({
  stream: name,
  codec: stream.codec_name ?? "unknown",
  width: stream.width ?? 0,
  height: stream.height ?? 0
})

const ofType = (output: ProbeOutput, type: string): ReadonlyArray<ProbedStream> =>
  output.streams.filter((stream) => stream.codec_type === type)

/** The video stream that a player would show (the default one, else the largest), whether or not we can decode it. */
export const readVideoStream = (output: ProbeOutput): VideoStream | undefined => {
  const candidates = ofType(output, "video").filter((stream) => !isPicture(stream))
  const pixels = (stream: ProbedStream) =>
    (flag(stream, "default") ? 1e12 : 0) + (stream.width ?? 0) * (stream.height ?? 0)
  const [first] = candidates.toSorted((a, b) => pixels(b) - pixels(a))
  return first === undefined ? undefined : readVideo(streamName(output, first), first)
}

/** Audio streams that we can decode, the default one first. */
export const readAudioStreams = (output: ProbeOutput): ReadonlyArray<AudioStream> =>
  ofType(output, "audio")
    .toSorted((a, b) => Number(flag(b, "default")) - Number(flag(a, "default")))
    .map((stream) => readAudio(streamName(output, stream), stream))
    .filter((audio) => isDecodable(audio.codec) && audio.channels > 0 && audio.sampleRate > 0)

export const readPictures = (output: ProbeOutput): ReadonlyArray<AttachedPicture> =>
  ofType(output, "video")
    .filter((stream) => isPicture(stream) && isDecodable(stream.codec_name ?? "") && (stream.width ?? 0) > 0)
    .map((stream) => readPicture(streamName(output, stream), stream))

/** At most 1000 chapters with a length. */
export const readChapters = (output: ProbeOutput): ReadonlyArray<Chapter> =>
  (output.chapters ?? [])
    .map((chapter) => ({
      start: Math.max(0, seconds(chapter.start_time)),
      end: seconds(chapter.end_time),
      title: textTags(chapter.tags)["title"] ?? ""
    }))
    .filter((chapter) => chapter.end > chapter.start)
    .slice(0, 1000)

/** Length in seconds from the container or its longest stream. Undefined if neither gives it. */
export const readDuration = (output: ProbeOutput): number | undefined => {
  const declared = positive(output.format.duration)
  if (declared !== undefined) return declared
  const longest = Math.max(0, ...output.streams.map((stream) => positive(stream.duration) ?? 0))
  return longest > 0 ? longest : undefined
}
