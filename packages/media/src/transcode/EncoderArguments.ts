import type { Rendition } from "../ladder/Rendition.ts"
import type { AudioStream, MediaInfo } from "../probe/MediaInfo.ts"
import type { MediaSettingsShape } from "../settings/MediaSettings.ts"
import { presets } from "../settings/Preset.ts"
import { hardwareArguments } from "./HardwareArguments.ts"
import { encoderFor, type VideoEncoder } from "./VideoEncoder.ts"

type Options = ReadonlyArray<string>

/** Speed of encoders with numbered presets, from 0 (fastest) to 8. */
const effort = ({ preset }: MediaSettingsShape): number => presets.indexOf(preset)

const capped = ({ bufferSize, maxRate }: Rendition): Options => [
  ...["-maxrate", String(maxRate), "-bufsize", String(bufferSize)]
]

const threads = (settings: MediaSettingsShape): Options =>
  settings.threads > 0 ? ["-threads", String(settings.threads)] : []

const keyframes = ({ keyframeEvery }: Rendition): Options => [
  ...["-g", String(keyframeEvery), "-keyint_min", String(keyframeEvery)]
]

const x264 = (rendition: Rendition, settings: MediaSettingsShape): Options => [
  ...["-c:v", "libx264", "-preset", settings.preset, "-profile:v", "high", "-pix_fmt", "yuv420p"],
  ...["-crf", String(rendition.crf), ...capped(rendition)],
  ...[...keyframes(rendition), "-sc_threshold", "0"],
  ...threads(settings)
]

/** Apple plays HEVC in MP4 only with the tag hvc1. */
const x265 = (rendition: Rendition, settings: MediaSettingsShape): Options => {
  // It takes its threads from its own pool.
  const pools = settings.threads > 0 ? [`pools=${settings.threads}`, "frame-threads=1"] : []
  return [
    ...["-c:v", "libx265", "-preset", settings.preset, "-profile:v", "main", "-pix_fmt", "yuv420p", "-tag:v", "hvc1"],
    ...["-crf", String(rendition.crf), ...capped(rendition), ...keyframes(rendition)],
    ...["-x265-params", ["log-level=error", "scenecut=0", "open-gop=0", ...pools].join(":")]
  ]
}

/** Its presets go from 13 (fastest) down. Those below 4 are too slow for video hosts. */
const svtAv1 = (rendition: Rendition, settings: MediaSettingsShape): Options => [
  ...["-c:v", "libsvtav1", "-preset", String(12 - effort(settings)), "-pix_fmt", "yuv420p"],
  ...["-crf", String(Math.round(rendition.crf)), ...capped(rendition), "-g", String(rendition.keyframeEvery)],
  ...["-svtav1-params", ["scd=0", ...(settings.threads > 0 ? [`lp=${settings.threads}`] : [])].join(":")]
]

/** Constrained quality: the bit rate is the cap. Wide video is split into tile columns, which also helps decoders. */
const vpxVp9 = (rendition: Rendition, settings: MediaSettingsShape): Options => [
  ...["-c:v", "libvpx-vp9", "-deadline", "good", "-cpu-used", String(Math.max(0, 8 - effort(settings)))],
  ...["-row-mt", "1", "-tile-columns", rendition.width >= 1280 ? "2" : "0", "-pix_fmt", "yuv420p"],
  ...["-crf", String(Math.round(rendition.crf)), "-b:v", String(rendition.maxRate)],
  ...keyframes(rendition),
  ...threads(settings)
]

const pictureArguments = (rendition: Rendition, settings: MediaSettingsShape, encoder: VideoEncoder): Options => {
  switch (encoder.name) {
    case "libx264":
      return x264(rendition, settings)
    case "libx265":
      return x265(rendition, settings)
    case "libsvtav1":
      return svtAv1(rendition, settings)
    case "libvpx-vp9":
      return vpxVp9(rendition, settings)
    default:
      return hardwareArguments(rendition, encoder.name)
  }
}

const plain: Options = ["-map_metadata", "-1", "-map_chapters", "-1", "-f", "mp4"]

/**
 * Video options of one rendition, whose frames come from the filter graph with their size and rate. `encoder` is used
 * if it produces the rendition's codec, else the software encoder of that codec.
 */
export const videoArguments = (
  rendition: Rendition,
  settings: MediaSettingsShape,
  encoder?: VideoEncoder
): ReadonlyArray<string> => [...pictureArguments(rendition, settings, encoderFor(rendition, encoder)), ...plain]

/** True if the audio can be copied: stereo AAC-LC at a common sample rate that starts with the video. */
export const copiesAudio = (audio: AudioStream, info: MediaInfo): boolean =>
  (info.container === "mov" || info.container === "matroska") &&
  audio.codec === "aac" &&
  audio.profile === "LC" &&
  audio.channels <= 2 &&
  [32000, 44100, 48000].includes(audio.sampleRate) &&
  audio.bitrate !== undefined &&
  audio.bitrate <= 256_000 &&
  info.video?.startsCut !== true &&
  Math.abs(audio.startTime - (info.video?.startTime ?? audio.startTime)) < 0.05

/** Audio of an encode: copied, or AAC-LC stereo at 48 or 44.1 kHz, with silence for gaps in the source. */
export const audioArguments = (audio: AudioStream, info: MediaInfo): ReadonlyArray<string> => {
  if (copiesAudio(audio, info)) return ["-c:a", "copy", ...plain]
  const channels = Math.min(2, audio.channels)
  return [
    ...["-c:a", "aac", "-b:a", channels === 1 ? "96k" : "160k", "-ac", String(channels)],
    ...["-ar", audio.sampleRate === 44100 ? "44100" : "48000", "-af", "aresample=async=1:first_pts=0"],
    ...plain
  ]
}
