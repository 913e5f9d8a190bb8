import type { Rendition } from "../ladder/Rendition.ts"
import type { AudioStream, MediaInfo, VideoStream } from "../probe/MediaInfo.ts"
import type { PictureTimes } from "./SourcePackets.ts"

/** How long parts are, in seconds of the video, and how many there are at most. */
export interface PartSizes {
  readonly seconds: number
  readonly most: number
}

/** What is cut out of the source for a part, in seconds of the source: more than the part on either side. */
export interface PartCut {
  /** A keyframe. */
  readonly from: number
  /** Where to seek to so as to meet that keyframe and no other. */
  readonly seek: number
  readonly to: number
}

/** A time range of a video. */
export interface PlannedPart {
  /** Its first frame, at the rate of the first rendition. */
  readonly first: number
  /** Whether it begins before the first picture of the source. */
  readonly early: boolean
  readonly last: boolean
  /** Frames in each rendition, in their order. */
  readonly frames: ReadonlyArray<number>
  readonly cut: PartCut
}

/** Pictures beyond either end of a part that filters and decoders may look at. */
const margin = 4
/** A seek goes back by this much where a codec has pictures out of order (ffmpeg: 3/23 s), and must not go further. */
const seekSlack = 0.15
/** Most of a video that may be decoded, as a share of it: decoding costs little beside encoding all renditions. */
const mostDecoded = 2

/** Containers with exact times, and codecs whose keyframes are what they say. */
const containers = new Set(["mov", "matroska"])
const codecs = new Set(["h264", "hevc", "vp8", "vp9", "av1"])

/** Names that every ffmpeg has for colours. */
const known = {
  colorTransfer: ["bt709", "smpte170m", "smpte240m", "iec61966-2-1", "bt2020-10", "smpte2084", "arib-std-b67"],
  colorPrimaries: ["bt709", "bt470m", "bt470bg", "smpte170m", "smpte240m", "bt2020", "smpte432"],
  colorSpace: ["bt709", "bt470bg", "smpte170m", "smpte240m", "bt2020nc"],
  colorRange: ["tv", "pc"]
} as const

/** A value that says something; undefined for those that say that nothing is known. */
export const declaredValue = (value: string | undefined): string | undefined =>
  value === undefined || value === "unknown" || value === "unspecified" || value === "reserved" ? undefined : value

/** What the container says of the pictures beside them. */
const sideData = ({ raw }: MediaInfo, { stream }: VideoStream): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const streams = raw.streams.filter((one) => "codec_type" in one && one.codec_type === "video")
  const found = streams[Number(stream.slice(2))] as { readonly side_data_list?: unknown } | undefined
  return Array.isArray(found?.side_data_list) ? found.side_data_list : []
}

/** Whether pictures are mirrored: three rows of numbers after their addresses, the first two of each turn and stretch. */
const mirrored = (matrix: unknown): boolean => {
  if (typeof matrix !== "string") return false
  const rows = matrix.split("\n").flatMap((line) => {
    const [, row] = line.split(":")
    return row === undefined || row.trim() === "" ? [] : [row.trim().split(/\s+/).map(Number)]
  })
  const [[a = 1, b = 0] = [], [c = 0, d = 1] = []] = rows
  return a * d - b * c < 0
}

/** Why a video is encoded in one piece, by what its probe says; undefined when it may be split. */
export const indivisible = (info: MediaInfo, head: Uint8Array): string | undefined => {
  const { video } = info
  if (video === undefined) return "It has no pictures"
  if (!containers.has(info.container)) return `Times in ${info.container} are not exact`
  if (!codecs.has(video.codec)) return `Nothing is known of keyframes in ${video.codec}`
  if (info.container === "matroska" && !hasCues(head)) return "It has no index to seek by"
  for (const name of ["colorTransfer", "colorPrimaries", "colorSpace", "colorRange"] as const) {
    const value = declaredValue(video[name])
    if (value !== undefined && !known[name].some((one) => one === value)) return `Its colours are ${value}`
  }
  const data = sideData(info, video)
  if (data.some(({ displaymatrix }) => mirrored(displaymatrix))) return "Its pictures are mirrored"
  if (video.hdr && data.some(({ side_data_type: type }) => /light|mastering/i.test(String(type)))) {
    return "Its brightness is declared beside its pictures"
  }
  return undefined
}

/** SeekHead's entry for Cues (RFC 9559): SeekID, 4 bytes, 1C53BB6B. */
const cues = Buffer.from([0x53, 0xab, 0x84, 0x1c, 0x53, 0xbb, 0x6b])

/** Whether the head of a Matroska file names an index. */
const hasCues = (head: Uint8Array): boolean => Buffer.from(head.buffer, head.byteOffset, head.byteLength).includes(cues)

/** Bytes of a file that `indivisible` looks at. */
export const headBytes = 64 * 1024

const fraction = (text: string): readonly [bigint, bigint] => {
  const [over = "0", under = "1"] = text.split("/")
  return [BigInt(over), BigInt(under)]
}

/** How many frames of one rate last as long as one of another; 0 when that is no whole number. */
const ratioOf = (fast: string, slow: string): number => {
  const [a, b] = fraction(fast)
  const [c, d] = fraction(slow)
  return b * c !== 0n && (a * d) % (b * c) === 0n ? Number((a * d) / (b * c)) : 0
}

/** The last index whose time is at most `time`; -1 when all are later. */
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

/** Where decoding has to begin for the pictures from `start` on; undefined: nowhere. */
const cutFrom = ({ keyframes, times }: PictureTimes, start: number): { from: number; seek: number } | undefined => {
  const shown = lastUpTo(times, start)
  const wanted = start <= 0 ? times[0]! : times[Math.max(0, shown - margin)]!
  const index = Math.max(0, lastUpTo(keyframes, wanted))
  const from = keyframes[index]
  if (from === undefined || from > Math.max(wanted, times[0]!)) return undefined
  const next = keyframes[index + 1] ?? Number.POSITIVE_INFINITY
  return { from, seek: index === 0 ? 0 : Math.min(from + seekSlack, (from + next) / 2) }
}

const cutTo = ({ times }: PictureTimes, end: number): number => {
  const after = lastUpTo(times, end) + margin
  return Math.max(times[Math.min(after, times.length - 1)]!, end) + 0.5
}

/**
 * The parts of a video: each begins with a segment of the ladder, so that joined they have the frames, the keyframes and the times
 * of one pass. A text says why there are none. Pure. `renditions` have pictures.
 */
export const partPlan = (
  pictures: PictureTimes,
  renditions: ReadonlyArray<Rendition>,
  sizes: PartSizes
): ReadonlyArray<PlannedPart> | string => {
  const [top] = renditions
  if (top === undefined) return "There is nothing to make"
  const slower = renditions.map(({ frameRate }) => ratioOf(top.frameRate.text, frameRate.text))
  const aligned = renditions.every(({ keyframeEvery }, index) => top.keyframeEvery === keyframeEvery * slower[index]!)
  if (!aligned) return "Its frame rates have no common beat"
  const [over, under] = fraction(top.frameRate.text)
  const rate = Number(over) / Number(under)
  const total = Math.round(pictures.end * rate)
  const segment = top.keyframeEvery
  const fitting = Math.max(1, Math.floor((sizes.seconds * rate) / segment + 0.001))
  const shortest = Math.max(fitting, Math.ceil(total / segment / Math.max(1, sizes.most)))

  const duration = pictures.end - pictures.times[0]!
  for (let segments = shortest; ; segments *= 2) {
    const parts = cutAt(pictures, { length: segments * segment, rate, segment, slower, total })
    if (typeof parts === "string") return parts
    const decoded = parts.reduce((sum, { cut }) => sum + Math.min(cut.to, pictures.end) - cut.from, 0)
    // Where keyframes are far apart, parts are longer: each is decoded from a keyframe before it.
    if (decoded <= duration * mostDecoded) return parts
  }
}

/** Frames, at the rate of the first rendition; `slower` says how many of them are one of each rendition. */
interface Beat {
  readonly length: number
  readonly rate: number
  readonly segment: number
  readonly slower: ReadonlyArray<number>
  readonly total: number
}

/** Parts of this length. What is left at the end and is no whole segment belongs to the part before. */
const cutAt = (
  pictures: PictureTimes,
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

/** Sound that survives being cut out of its container; other sound is encoded by the node. */
const separable = new Set(["aac", "mp3", "opus", "vorbis", "ac3", "flac", "pcm_s16le"])

export const isSeparable = ({ codec }: AudioStream): boolean => separable.has(codec)
