import { UnsupportedMedia } from "../errors/MediaErrors.ts"
import { ladder, type LadderSettings, resolutionOf } from "../ladder/Ladder.ts"
import type { Rendition } from "../ladder/Rendition.ts"
import type { MediaInfo, VideoStream } from "../probe/MediaInfo.ts"

/** One version of a live stream. `resolution` is its shorter side, 0 for sound alone. */
export interface LiveOutput {
  readonly resolution: number
  readonly width: number
  readonly height: number
  readonly fps: number
  /** `copy`: as the publisher sends it. A rendition: encoded. */
  readonly picture: "copy" | "none" | Rendition
  /** The codec of its picture, by ffmpeg's name; empty without one. */
  readonly codec: string
  readonly sound: "copy" | "encode" | "none"
}

/** How a live stream is offered. */
export interface LivePlanSettings extends LadderSettings {
  /** Whether versions are encoded. Otherwise there is only the publisher's own. */
  readonly transcoding: boolean
}

/** Segments begin at keyframes: a publisher who sends them more rarely is encoded where that is allowed. Seconds. */
const longestCopiedInterval = 6

/** What every browser decodes, and what an MPEG transport stream carries. */
const isPlainH264 = ({ codec, pixelFormat }: VideoStream): boolean =>
  codec === "h264" && (pixelFormat === "yuv420p" || pixelFormat === "yuvj420p")

/** What many browsers decode, but none out of a transport stream. */
const isFragmentCodec = ({ codec, pixelFormat }: VideoStream): boolean =>
  (codec === "hevc" || codec === "av1") && (pixelFormat === "yuv420p" || pixelFormat === "yuv420p10le")

/** Whether a version cannot be sent in MPEG transport streams: players of browsers do not take its codec out of them. */
export const needsFragments = ({ codec }: LiveOutput): boolean => codec === "hevc" || codec === "av1"

const soundOf = (info: MediaInfo): LiveOutput["sound"] => {
  const [audio] = info.audio
  if (audio === undefined) return "none"
  return audio.codec === "aac" && audio.channels <= 2 ? "copy" : "encode"
}

const own = (info: MediaInfo, video: VideoStream, sound: LiveOutput["sound"]): LiveOutput => ({
  resolution: resolutionOf(info),
  width: video.width,
  height: video.height,
  fps: video.fps,
  picture: "copy",
  codec: video.codec,
  sound
})

const encoded = (rendition: Rendition, sound: LiveOutput["sound"]): LiveOutput => ({
  resolution: rendition.resolution,
  width: rendition.width,
  height: rendition.height,
  fps: rendition.frameRate.value,
  picture: rendition,
  codec: "h264",
  sound
})

const soundAlone = (sound: LiveOutput["sound"]): LiveOutput => ({
  resolution: 0,
  width: 0,
  height: 0,
  fps: 0,
  picture: "none",
  codec: "",
  sound
})

/**
 * The versions of a live stream, highest first. The publisher's own is passed through when browsers play it; the others are
 * those of the ladder below it. Where nothing may be encoded, HEVC and AV1 are passed through as well, because some browsers
 * play them; other streams that browsers do not play are refused.
 */
export const livePlan = (info: MediaInfo, settings: LivePlanSettings): ReadonlyArray<LiveOutput> | UnsupportedMedia => {
  const { video } = info
  const sound = soundOf(info)
  if (video === undefined) return [soundAlone(sound)]
  const isPlain = isPlainH264(video)
  if (!settings.transcoding) {
    if (isPlain || isFragmentCodec(video)) return [own(info, video, sound)]
    return new UnsupportedMedia({
      reason: "codec",
      detail: `Lives are not transcoded here: send H.264 with 8 bits, or HEVC or AV1, in 4:2:0 instead of ${video.codec} (${video.pixelFormat}).`
    })
  }
  const isCopied = isPlain && (video.keyframeInterval ?? 0) <= longestCopiedInterval
  const renditions = ladder(info, settings)
  return renditions.map((rendition) => {
    if (!rendition.hasVideo) return soundAlone(sound)
    return isCopied && rendition.resolution === resolutionOf(info) ? own(info, video, sound) : encoded(rendition, sound)
  })
}

/** Whether players can go on from a stream to another one without noticing. */
export const samePlan = (one: ReadonlyArray<LiveOutput>, other: ReadonlyArray<LiveOutput>): boolean =>
  one.length === other.length &&
  one.every(({ codec, height, resolution, sound, width }, index) => {
    const same = other[index]!
    const sameSize = same.resolution === resolution && same.width === width && same.height === height
    return sameSize && same.sound === sound && same.codec === codec
  })
