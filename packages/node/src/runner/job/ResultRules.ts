import { resolutionOf } from "@kinora/media/ladder/Ladder"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import { Option, Schema } from "effect"

/** What browsers play out of an mp4 whoever made it. */
const pictureCodecs = new Set(["h264", "hevc", "av1", "vp9"])
const soundCodecs = new Set(["aac", "mp3", "opus"])

/** Encoders round sizes to even ones. */
const sizeTolerance = 2
/** Frames at the end, and silence that encoders add. */
const lengthTolerance = 2
const lengthShare = 0.03
/** Seconds by which stock runners repeat the picture after the sound has ended: they encode few frames a second. */
const stillOverrun = 15

const decodeSound = Schema.decodeUnknownOption(
  Schema.Struct({ codec_type: Schema.Literal("audio"), duration: Schema.FiniteFromString })
)

const isAsLong = (duration: number, source: MediaInfo): boolean =>
  Math.abs(duration - source.duration) <= Math.max(lengthTolerance, source.duration * lengthShare)

const otherLength = (duration: number, source: MediaInfo): string =>
  `It is ${duration.toFixed(1)} s long, in place of ${source.duration.toFixed(1)} s`

/** The length of the sound alone, where the file names it. */
const soundLength = ({ raw }: MediaInfo): number | undefined =>
  raw.streams.flatMap((stream) => Option.toArray(decodeSound(stream)))[0]?.duration

const wrongStreams = ({ audio, container, video }: MediaInfo, source: MediaInfo): string | undefined => {
  if (container !== "mov") return `It is no mp4, but ${container}`
  if (video === undefined || !pictureCodecs.has(video.codec)) return `The picture is ${video?.codec ?? "missing"}`
  const [sound] = audio
  if (source.audio.length > 0 && sound === undefined) return "The sound is missing"
  if (sound !== undefined && !soundCodecs.has(sound.codec)) return `The sound is ${sound.codec}`
  return undefined
}

/** Why a file cannot be the rendition of a source that was asked for, in words for operators; undefined when it can. */
export const misfit = (info: MediaInfo, source: MediaInfo, resolution: number): string | undefined => {
  const wrong = wrongStreams(info, source)
  if (wrong !== undefined) return wrong
  if (Math.abs(resolutionOf(info) - resolution) > sizeTolerance) {
    return `It is ${info.video?.width} × ${info.video?.height}, in place of ${resolution}p`
  }
  return isAsLong(info.duration, source) ? undefined : otherLength(info.duration, source)
}

/**
 * The same of the video that was asked for of a sound and its picture. Stock runners keep the size of the picture and let
 * it run over: both are taken, as long as the sound is as long as the one that was uploaded.
 */
export const misfitOfSound = (info: MediaInfo, source: MediaInfo): string | undefined => {
  const wrong = wrongStreams(info, source)
  if (wrong !== undefined) return wrong
  const sound = soundLength(info)
  if (sound !== undefined && !isAsLong(sound, source)) return otherLength(sound, source)
  const isShort = info.duration < source.duration && !isAsLong(info.duration, source)
  return isShort || info.duration > source.duration + stillOverrun ? otherLength(info.duration, source) : undefined
}
