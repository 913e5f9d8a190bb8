import type { MediaInfo, VideoStream } from "../probe/MediaInfo.ts"
import { capped, frameRate, steady } from "./FrameRate.ts"
import type { Rendition } from "./Rendition.ts"
import { type CodecChoice, defaultCodecs, type VideoCodec } from "./VideoCodec.ts"

/** The configuration that decides which renditions are made. */
export interface LadderSettings {
  /** Enabled resolutions; 0 is audio only. */
  readonly resolutions: ReadonlyArray<number>
  readonly alwaysTranscodeOriginalResolution: boolean
  readonly maxFps: number
}

/** Seconds between keyframes, and thus the length of an HLS segment. */
export const segmentSeconds = 4

/** Below this resolution, smooth motion is not worth the bits: rates above 30 are divided. */
const keepFrameRateFrom = 720

/** Peak bit rates for 16:9 at up to 30 frames per second; other sizes are interpolated by pixels. */
const peaks: ReadonlyArray<readonly [resolution: number, rate: number]> = [
  [144, 350_000],
  [240, 700_000],
  [360, 1_300_000],
  [480, 2_200_000],
  [720, 4_500_000],
  [1080, 9_000_000],
  [1440, 16_000_000],
  [2160, 32_000_000]
]

/** A still image needs no motion. */
const stillFps = 5
const stillResolution = 480

/** The peak bit rate of a picture of this size. */
export const peakRate = (width: number, height: number, fps: number): number => {
  const pixels = width * height
  const size = ([resolution]: readonly [number, number]) => (resolution * resolution * 16) / 9
  const nearest = peaks.reduce((best, peak) =>
    Math.abs(Math.log(size(peak) / pixels)) < Math.abs(Math.log(size(best) / pixels)) ? peak : best
  )
  const motion = fps > 31 ? 1.4 : 1
  return Math.round(nearest[1] * (pixels / size(nearest)) ** 0.75 * motion)
}

const evenDown = (value: number): number => Math.max(2, value - (value % 2))
const evenNear = (value: number): number => Math.max(2, Math.round(value / 2) * 2)

const sized = (video: VideoStream, resolution: number): readonly [number, number] => {
  const short = Math.min(video.width, video.height)
  if (resolution === short) return [evenDown(video.width), evenDown(video.height)]
  const scale = resolution / short
  const long = evenNear(Math.max(video.width, video.height) * scale)
  return video.width >= video.height ? [long, evenNear(resolution)] : [evenNear(resolution), long]
}

/** Large frames need slightly lower quality. */
const qualityOf = (codec: VideoCodec, resolution: number, { quality }: CodecChoice): number =>
  quality[codec] + (resolution >= 1080 ? 0.5 : 0)

/** The maximum resolution of the fallback for players without the main codec, if there is a choice. */
const fallbackResolution = 480

/** Minimum pixels per side for SVT-AV1. For smaller video the other codecs save nothing either. */
const smallestSide = 64

const fits = ({ height, width }: Rendition): boolean => Math.min(width, height) >= smallestSide

/** Assigns codecs to renditions (highest first). */
const withCodecs = (renditions: ReadonlyArray<Rendition>, choice: CodecChoice): ReadonlyArray<Rendition> => {
  const fallback = renditions.find(({ resolution }) => resolution <= fallbackResolution) ?? renditions.at(-1)
  return renditions.map((rendition) => {
    const isKept = choice.keepH264 && rendition === fallback
    const codec = isKept || !fits(rendition) ? "h264" : choice.codec
    return { ...rendition, codec, crf: qualityOf(codec, rendition.resolution, choice) }
  })
}

const videoRendition = (
  size: readonly [number, number],
  resolution: number,
  fps: number,
  slowest: number
): Rendition => {
  const [width, height] = size
  const rate = frameRate(fps)
  const maxRate = peakRate(width, height, rate.value)
  return {
    resolution,
    width,
    height,
    frameRate: rate,
    keyframeEvery: Math.max(1, Math.round(slowest * segmentSeconds)) * Math.max(1, Math.round(fps / slowest)),
    codec: "h264",
    crf: 0,
    maxRate,
    bufferSize: maxRate * 2,
    hasVideo: true
  }
}

const audioRendition: Rendition = {
  resolution: 0,
  width: 0,
  height: 0,
  frameRate: { text: "0", value: 0 },
  keyframeEvery: 0,
  codec: "h264",
  crf: 0,
  maxRate: 0,
  bufferSize: 0,
  hasVideo: false
}

/** The resolution by which people name a video: its shorter side as displayed; 0 for audio only. */
export const resolutionOf = (info: MediaInfo): number =>
  info.video === undefined ? 0 : Math.min(info.video.width, info.video.height)

const stillLadder = (enabled: ReadonlyArray<number>, codecs: CodecChoice): ReadonlyArray<Rendition> => {
  const fitting = enabled.filter((resolution) => resolution <= stillResolution)
  const lowest = enabled.length > 0 ? Math.min(...enabled) : stillResolution
  const resolution = fitting.length > 0 ? Math.max(...fitting) : lowest
  const size = [evenNear((resolution * 16) / 9), evenNear(resolution)] as const
  return [...withCodecs([videoRendition(size, resolution, stillFps, stillFps)], codecs), audioRendition]
}

/**
 * The renditions of a source, highest first. Never larger than the source: every enabled resolution below it, and its
 * own if that is enabled, always wanted, or the only one. Audio gets a video of its image and an audio-only version.
 * All are H.264 unless `codecs` says otherwise.
 */
export const ladder = (
  info: MediaInfo,
  settings: LadderSettings,
  codecs: CodecChoice = defaultCodecs
): ReadonlyArray<Rendition> => {
  const enabled = settings.resolutions.filter((resolution) => resolution > 0)
  const { video } = info
  if (video === undefined) return stillLadder(enabled, codecs)

  const own = resolutionOf(info)
  const below = enabled.filter((resolution) => resolution < own)
  const keepOwn = settings.alwaysTranscodeOriginalResolution || enabled.includes(own) || below.length === 0
  const wanted = [...new Set(keepOwn ? [own, ...below] : below)].toSorted((a, b) => b - a)

  const average = Math.max(1, video.fps)
  const even = video.variableFps ? steady(average, video.nominalFps, settings.maxFps) : average
  const top = capped(even, settings.maxFps)
  const rateOf = (resolution: number) => (resolution < keepFrameRateFrom ? capped(top, 30) : top)
  const slowest = Math.min(...wanted.map(rateOf))

  const renditions = withCodecs(
    wanted.map((resolution) => videoRendition(sized(video, resolution), resolution, rateOf(resolution), slowest)),
    codecs
  )
  return settings.resolutions.includes(0) && info.audio.length > 0 ? [...renditions, audioRendition] : renditions
}
