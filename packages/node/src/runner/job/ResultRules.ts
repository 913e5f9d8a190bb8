import { resolutionOf } from "@kinora/media/ladder/Ladder"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"

/** What browsers play out of an mp4 whoever made it. */
const pictureCodecs = new Set(["h264", "hevc", "av1", "vp9"])
const soundCodecs = new Set(["aac", "mp3", "opus"])

/** Encoders round sizes to even ones. */
const sizeTolerance = 2
/** Frames at the end, and silence that encoders add. */
const lengthTolerance = 2
const lengthShare = 0.03

/** Why a file cannot be the rendition of a source that was asked for, in words for operators; undefined when it can. */
export const misfit = (info: MediaInfo, source: MediaInfo, resolution: number): string | undefined => {
  const { audio, container, duration, video } = info
  if (container !== "mov") return `It is no mp4, but ${container}`
  if (video === undefined || !pictureCodecs.has(video.codec)) return `The picture is ${video?.codec ?? "missing"}`
  if (Math.abs(resolutionOf(info) - resolution) > sizeTolerance) {
    return `It is ${video.width} × ${video.height}, in place of ${resolution}p`
  }
  const [sound] = audio
  if (source.audio.length > 0 && sound === undefined) return "The sound is missing"
  if (sound !== undefined && !soundCodecs.has(sound.codec)) return `The sound is ${sound.codec}`
  if (Math.abs(duration - source.duration) > Math.max(lengthTolerance, source.duration * lengthShare)) {
    return `It is ${duration.toFixed(1)} s long, in place of ${source.duration.toFixed(1)} s`
  }
  return undefined
}
