import type { AudioStream, MediaInfo, VideoStream } from "../probe/MediaInfo.ts"

export type Playability = { readonly playable: true } | { readonly playable: false; readonly reason: string }

/** Maximum seconds between keyframes: seeking and HLS segments depend on it. */
const maxKeyframeInterval = 12

/** Bits/s. Above this, playback would stall on common connections, so the ladder is awaited. */
const maxBitrate = 25_000_000

const videoReason = (video: VideoStream): string | undefined => {
  if (video.codec !== "h264") return `video is ${video.codec}`
  if (!["yuv420p", "yuvj420p"].includes(video.pixelFormat) || video.bitDepth !== 8)
    return `pixels are ${video.pixelFormat}`
  if (!/^(Constrained )?Baseline$|^Main$|^High$/.test(video.profile ?? ""))
    return `profile is ${video.profile ?? "unknown"}`
  if ((video.level ?? 0) > 52) return "level is above 5.2"
  if (video.interlaced) return "video is interlaced"
  if (video.hdr) return "video is HDR"
  if (video.rotation !== 0) return "video is stored rotated"
  if (video.anamorphic) return "pixels are not square"
  if (video.startsCut) return "the beginning is cut off by an edit list"
  if (video.keyframeInterval === undefined) return "no keyframe at the beginning"
  if (video.keyframeInterval > maxKeyframeInterval) return `keyframes are ${Math.round(video.keyframeInterval)} s apart`
  return undefined
}

const audioReason = (audio: AudioStream): string | undefined => {
  if (audio.codec === "mp3") return audio.channels <= 2 ? undefined : "mp3 has more than two channels"
  if (audio.codec !== "aac") return `audio is ${audio.codec}`
  if (audio.profile !== undefined && !["LC", "HE-AAC", "HE-AACv2"].includes(audio.profile))
    return `audio is AAC ${audio.profile}`
  if (audio.channels > 6) return `audio has ${audio.channels} channels`
  return undefined
}

/**
 * Whether a browser plays the source's streams after remuxing: H.264 8-bit 4:2:0, progressive, not HDR, not rotated,
 * with AAC or MP3 or without audio, from an MP4, MOV or Matroska file.
 */
export const browserPlayable = (info: MediaInfo): Playability => {
  const no = (reason: string): Playability => ({ playable: false, reason })
  if (info.video === undefined) return no("there is no video")
  if (info.container !== "mov" && info.container !== "matroska") return no(`container is ${info.container}`)
  if ((info.bitrate ?? 0) > maxBitrate) return no(`bit rate is ${Math.round((info.bitrate ?? 0) / 1e6)} Mbit/s`)
  const video = videoReason(info.video)
  if (video !== undefined) return no(video)
  const [audio] = info.audio
  if (audio === undefined) return { playable: true }
  const audioProblem = audioReason(audio)
  if (audioProblem !== undefined) return no(audioProblem)
  // Browsers ignore the edit lists that would keep them in sync.
  return Math.abs(audio.startTime - info.video.startTime) > 0.1
    ? no("audio and video start at different times")
    : { playable: true }
}
