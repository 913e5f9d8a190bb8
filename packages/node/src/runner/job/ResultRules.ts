import { resolutionOf } from "@kinora/media/ladder/Ladder"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import { Option, Schema } from "effect"

/** The codecs that browsers play in an MP4 file, whatever made it. */
const pictureCodecs = new Set(["h264", "hevc", "av1", "vp9"])
const audioCodecs = new Set(["aac", "mp3", "opus"])

/** Encoders round sizes to even numbers. */
const sizeTolerance = 2
/** Seconds. Covers the last frames and the silence that encoders add. */
const lengthTolerance = 2
const lengthShare = 0.03
/** Seconds by which stock runners repeat the image after the audio has ended: they encode few frames per second. */
const stillOverrun = 15

const decodeAudio = Schema.decodeUnknownOption(
  Schema.Struct({ codec_type: Schema.Literal("audio"), duration: Schema.FiniteFromString })
)

const isAsLong = (duration: number, source: MediaInfo): boolean =>
  Math.abs(duration - source.duration) <= Math.max(lengthTolerance, source.duration * lengthShare)

const otherLength = (duration: number, source: MediaInfo): string =>
  `It is ${duration.toFixed(1)} s long, in place of ${source.duration.toFixed(1)} s`

/** The length of the audio alone, if the file gives it. */
const audioLength = ({ raw }: MediaInfo): number | undefined =>
  raw.streams.flatMap((stream) => Option.toArray(decodeAudio(stream)))[0]?.duration

const wrongStreams = ({ audio, container, video }: MediaInfo, source: MediaInfo): string | undefined => {
  if (container !== "mov") return `It is ${container} instead of mp4`
  if (video === undefined || !pictureCodecs.has(video.codec)) return `The video is ${video?.codec ?? "missing"}`
  const [audioTrack] = audio
  if (source.audio.length > 0 && audioTrack === undefined) return "The audio is missing"
  if (audioTrack !== undefined && !audioCodecs.has(audioTrack.codec)) return `The audio is ${audioTrack.codec}`
  return undefined
}

/** Why a file is not the requested rendition of a source, as a message for operators. Undefined if it is. */
export const misfit = (info: MediaInfo, source: MediaInfo, resolution: number): string | undefined => {
  const wrong = wrongStreams(info, source)
  if (wrong !== undefined) return wrong
  if (Math.abs(resolutionOf(info) - resolution) > sizeTolerance) {
    return `It is ${info.video?.width} × ${info.video?.height} instead of ${resolution}p`
  }
  return isAsLong(info.duration, source) ? undefined : otherLength(info.duration, source)
}

/**
 * The same for a video made from audio and an image. Stock runners keep the size of the image and let the video run
 * over. Both are accepted, if the audio is as long as the uploaded one.
 */
export const audioMergeMisfit = (info: MediaInfo, source: MediaInfo): string | undefined => {
  const wrong = wrongStreams(info, source)
  if (wrong !== undefined) return wrong
  const audioTrack = audioLength(info)
  if (audioTrack !== undefined && !isAsLong(audioTrack, source)) return otherLength(audioTrack, source)
  const isShort = info.duration < source.duration && !isAsLong(info.duration, source)
  return isShort || info.duration > source.duration + stillOverrun ? otherLength(info.duration, source) : undefined
}
