import type { Rendition } from "../ladder/Rendition.ts"
import type { AudioStream, MediaInfo, VideoStream } from "../probe/MediaInfo.ts"
import type { FrameTimes } from "./SourcePackets.ts"

/** Length of parts, in seconds of the video, and their maximum number. */
export interface PartSizes {
  readonly seconds: number
  readonly max: number
}

/** The cut for a part, in seconds of the source: it extends beyond the part on both sides. */
export interface PartCut {
  /** Time of a keyframe. */
  readonly from: number
  /** Seek position that leads to exactly that keyframe. */
  readonly seek: number
  readonly to: number
}

/** A time range of a video. */
export interface PlannedPart {
  /** Its first frame, at the rate of the first rendition. */
  readonly first: number
  /** Whether it begins before the first frame of the source. */
  readonly early: boolean
  readonly last: boolean
  /** Frames in each rendition, in order. */
  readonly frames: ReadonlyArray<number>
  readonly cut: PartCut
}

/** Frames beyond either end of a part that filters and decoders may need. */
const margin = 4
/** A seek goes back by this much if a codec reorders frames (ffmpeg: 3/23 s), and must not go further. */
const seekSlack = 0.15
/** Maximum total of decoded video relative to its length: decoding is cheap compared to encoding all renditions. */
const maxDecoded = 2

/** Containers with exact times, and codecs with reliable keyframes. */
const containers = new Set(["mov", "matroska"])
const codecs = new Set(["h264", "hevc", "vp8", "vp9", "av1"])

/** Colour names that every ffmpeg knows. */
const known = {
  colorTransfer: ["bt709", "smpte170m", "smpte240m", "iec61966-2-1", "bt2020-10", "smpte2084", "arib-std-b67"],
  colorPrimaries: ["bt709", "bt470m", "bt470bg", "smpte170m", "smpte240m", "bt2020", "smpte432"],
  colorSpace: ["bt709", "bt470bg", "smpte170m", "smpte240m", "bt2020nc"],
  colorRange: ["tv", "pc"]
} as const

/** A meaningful value. Undefined for those that mean "unknown". */
export const declaredValue = (value: string | undefined): string | undefined =>
  value === undefined || value === "unknown" || value === "unspecified" || value === "reserved" ? undefined : value

/** The side data of the video stream in the container. */
const sideData = ({ raw }: MediaInfo, { stream }: VideoStream): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const streams = raw.streams.filter((one) => "codec_type" in one && one.codec_type === "video")
  const found = streams[Number(stream.slice(2))] as { readonly side_data_list?: unknown } | undefined
  return Array.isArray(found?.side_data_list) ? found.side_data_list : []
}

/**
 * Whether the display matrix mirrors: three rows of numbers after their addresses, the first two of each for rotation
 * and scale.
 */
const mirrored = (matrix: unknown): boolean => {
  if (typeof matrix !== "string") return false
  const rows = matrix.split("\n").flatMap((line) => {
    const [, row] = line.split(":")
    return row === undefined || row.trim() === "" ? [] : [row.trim().split(/\s+/).map(Number)]
  })
  const [[a = 1, b = 0] = [], [c = 0, d = 1] = []] = rows
  return a * d - b * c < 0
}

/** Why a video has to be encoded as a whole, from its probe. Undefined if it may be split. */
export const indivisible = (info: MediaInfo, head: Uint8Array): string | undefined => {
  const { video } = info
  if (video === undefined) return "It has no video"
  if (!containers.has(info.container)) return `Times in ${info.container} are not exact`
  if (!codecs.has(video.codec)) return `Nothing is known of keyframes in ${video.codec}`
  if (info.container === "matroska" && !hasCues(head)) return "It has no index to seek by"
  for (const name of ["colorTransfer", "colorPrimaries", "colorSpace", "colorRange"] as const) {
    const value = declaredValue(video[name])
    if (value !== undefined && !known[name].some((one) => one === value)) return `Its colours are ${value}`
  }
  const data = sideData(info, video)
  if (data.some(({ displaymatrix }) => mirrored(displaymatrix))) return "It is mirrored"
  if (video.hdr && data.some(({ side_data_type: type }) => /light|mastering/i.test(String(type)))) {
    return "Its brightness is declared in side data"
  }
  return undefined
}

/** SeekHead's entry for Cues (RFC 9559): SeekID, 4 bytes, 1C53BB6B. */
const cues = Buffer.from([0x53, 0xab, 0x84, 0x1c, 0x53, 0xbb, 0x6b])

/** Whether the start of a Matroska file refers to an index. */
const hasCues = (head: Uint8Array): boolean => Buffer.from(head.buffer, head.byteOffset, head.byteLength).includes(cues)

/** Bytes of a file that `indivisible` needs. */
export const headBytes = 64 * 1024

const fraction = (text: string): readonly [bigint, bigint] => {
  const [over = "0", under = "1"] = text.split("/")
  return [BigInt(over), BigInt(under)]
}

/** How many frames of one rate last as long as one of another; 0 if that is not an integer. */
const ratioOf = (fast: string, slow: string): number => {
  const [a, b] = fraction(fast)
  const [c, d] = fraction(slow)
  return b * c !== 0n && (a * d) % (b * c) === 0n ? Number((a * d) / (b * c)) : 0
}

/** The last index with a time of at most `time`; -1 if all are later. */
const lastUpTo = (times: Float64Array, time: number): number => {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! <= time) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Where to start decoding for the frames from `start` on. Undefined: nowhere. */
const cutFrom = ({ keyframes, times }: FrameTimes, start: number): { from: number; seek: number } | undefined => {
  const shown = lastUpTo(times, start)
  const wanted = start <= 0 ? times[0]! : times[Math.max(0, shown - margin)]!
  const index = Math.max(0, lastUpTo(keyframes, wanted))
  const from = keyframes[index]
  if (from === undefined || from > Math.max(wanted, times[0]!)) return undefined
  const next = keyframes[index + 1] ?? Number.POSITIVE_INFINITY
  return { from, seek: index === 0 ? 0 : Math.min(from + seekSlack, (from + next) / 2) }
}

const cutTo = ({ times }: FrameTimes, end: number): number => {
  const after = lastUpTo(times, end) + margin
  return Math.max(times[Math.min(after, times.length - 1)]!, end) + 0.5
}

/**
 * The parts of a video: each begins with a segment of the ladder, so that after joining they have the same frames,
 * keyframes and times as a single encode. A text says why there are none. Pure. All `renditions` have video.
 */
export const partPlan = (
  pictures: FrameTimes,
  renditions: ReadonlyArray<Rendition>,
  sizes: PartSizes
): ReadonlyArray<PlannedPart> | string => {
  const [top] = renditions
  if (top === undefined) return "There is nothing to make"
  const slower = renditions.map(({ frameRate }) => ratioOf(top.frameRate.text, frameRate.text))
  const aligned = renditions.every(({ keyframeEvery }, index) => top.keyframeEvery === keyframeEvery * slower[index]!)
  if (!aligned) return "Its frame rates are not multiples of each other"
  const [over, under] = fraction(top.frameRate.text)
  const rate = Number(over) / Number(under)
  const total = Math.round(pictures.end * rate)
  const segment = top.keyframeEvery
  const fitting = Math.max(1, Math.floor((sizes.seconds * rate) / segment + 0.001))
  const shortest = Math.max(fitting, Math.ceil(total / segment / Math.max(1, sizes.max)))

  const duration = pictures.end - pictures.times[0]!
  for (let segments = shortest; ; segments *= 2) {
    const parts = cutAt(pictures, { length: segments * segment, rate, segment, slower, total })
    if (typeof parts === "string") return parts
    const decoded = parts.reduce((sum, { cut }) => sum + Math.min(cut.to, pictures.end) - cut.from, 0)
    // If keyframes are far apart, parts are longer: each is decoded from a keyframe before it.
    if (decoded <= duration * maxDecoded) return parts
  }
}

/** Frames, at the rate of the first rendition; `slower` says how many of them equal one frame of each rendition. */
interface Beat {
  readonly length: number
  readonly rate: number
  readonly segment: number
  readonly slower: ReadonlyArray<number>
  readonly total: number
}

/** Parts of this length. A rest that is not a whole segment is added to the last part. */
const cutAt = (
  pictures: FrameTimes,
  { length, rate, segment, slower, total }: Beat
): ReadonlyArray<PlannedPart> | string => {
  const count = Math.ceil((total - segment + 1) / length)
  if (count < 2) return "It is too short, or its keyframes are too far apart"
  const parts: Array<PlannedPart> = []
  for (let index = 0; index < count; index++) {
    const last = index === count - 1
    const first = index * length
    const start = first / rate
    const end = last ? pictures.end : (first + length) / rate
    const begin = cutFrom(pictures, start)
    if (begin === undefined) return "It does not begin with a keyframe"
    const cut = { ...begin, to: cutTo(pictures, end) }
    const frames = slower.map((ratio) => (last ? Math.round((total - first) / ratio) : length / ratio))
    parts.push({ first, early: start <= pictures.times[0]!, last, frames, cut })
  }
  return parts
}

/** Audio codecs that can be extracted from their container. Other audio is encoded by the node. */
const separable = new Set(["aac", "mp3", "opus", "vorbis", "ac3", "flac", "pcm_s16le"])

export const isSeparable = ({ codec }: AudioStream): boolean => separable.has(codec)
