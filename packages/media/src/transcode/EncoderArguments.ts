import type { Rendition } from "../ladder/Rendition.ts"
import type { AudioStream, MediaInfo } from "../probe/MediaInfo.ts"
import type { MediaSettingsShape } from "../settings/MediaSettings.ts"

/** x264 options of one rendition; the picture comes from the filter graph with its size and rate. */
export const videoArguments = (rendition: Rendition, settings: MediaSettingsShape): ReadonlyArray<string> => [
  ...["-c:v", "libx264", "-preset", settings.preset, "-profile:v", "high", "-pix_fmt", "yuv420p"],
  ...["-crf", String(rendition.crf), "-maxrate", String(rendition.maxRate), "-bufsize", String(rendition.bufferSize)],
  ...["-g", String(rendition.keyframeEvery), "-keyint_min", String(rendition.keyframeEvery), "-sc_threshold", "0"],
  ...(settings.threads > 0 ? ["-threads", String(settings.threads)] : []),
  ...["-map_metadata", "-1", "-map_chapters", "-1", "-f", "mp4"]
]

/** True when the sound can be kept as it is: stereo AAC-LC of a usual rate that starts with the picture. */
export const keepsSound = (audio: AudioStream, info: MediaInfo): boolean =>
  (info.container === "mov" || info.container === "matroska") &&
  audio.codec === "aac" &&
  audio.profile === "LC" &&
  audio.channels <= 2 &&
  [32000, 44100, 48000].includes(audio.sampleRate) &&
  audio.bitrate !== undefined &&
  audio.bitrate <= 256_000 &&
  info.video?.startsCut !== true &&
  Math.abs(audio.startTime - (info.video?.startTime ?? audio.startTime)) < 0.05

/** Sound of an encode: kept, or AAC-LC stereo at 48 or 44.1 kHz, silence put where the source has holes. */
export const audioArguments = (audio: AudioStream, info: MediaInfo): ReadonlyArray<string> => {
  const container = ["-map_metadata", "-1", "-map_chapters", "-1", "-f", "mp4"]
  if (keepsSound(audio, info)) return ["-c:a", "copy", ...container]
  const channels = Math.min(2, audio.channels)
  return [
    ...["-c:a", "aac", "-b:a", channels === 1 ? "96k" : "160k", "-ac", String(channels)],
    ...["-ar", audio.sampleRate === 44100 ? "44100" : "48000", "-af", "aresample=async=1:first_pts=0"],
    ...container
  ]
}
