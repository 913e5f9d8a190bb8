import type { Rendition } from "../ladder/Rendition.ts"
import { type HardwareEncoderName, type HardwareKind, hardwareKind, type VideoEncoder } from "./VideoEncoder.ts"

type Options = ReadonlyArray<string>

/** Target as a fraction of the cap for encoders that use a bit rate instead of a quality. */
const aimed = 0.6

const capped = ({ bufferSize, maxRate }: Rendition): Options => [
  ...["-maxrate", String(maxRate), "-bufsize", String(bufferSize)]
]

const variable = (rendition: Rendition): Options => [
  ...["-b:v", String(Math.round(rendition.maxRate * aimed))],
  ...capped(rendition)
]

/** Keyframes only where the ladder has them, apart from the first frame. */
const keyframes = ({ keyframeEvery }: Rendition): Options => [
  ...["-g", String(keyframeEvery), "-force_key_frames", `expr:not(mod(n,${keyframeEvery}))`]
]

/** Without B-frames, which many of these chips lack: playback can start at every keyframe. */
const inOrder = ["-bf", "0"]

const own: Readonly<Record<HardwareKind, (name: HardwareEncoderName, rendition: Rendition) => Options>> = {
  vaapi: (_, rendition) => ["-rc_mode", "VBR", ...inOrder, ...variable(rendition)],
  qsv: (_, rendition) => ["-forced_idr", "1", ...inOrder, ...variable(rendition)],
  // Constant quality under a cap, as with x264. Its numbers are slightly stricter than x264's.
  nvenc: (name, rendition) => [
    ...["-pix_fmt", "yuv420p", "-preset", "p5", "-tune", "hq", "-rc", "vbr"],
    ...["-cq", String(name === "av1_nvenc" ? rendition.crf : rendition.crf + 3), "-b:v", "0", ...capped(rendition)],
    ...["-no-scenecut", "1", "-forced-idr", "1", ...inOrder]
  ],
  amf: (name, rendition) => [
    ...["-pix_fmt", "nv12", "-usage", "transcoding", "-quality", "balanced", "-rc", "vbr_peak", ...variable(rendition)],
    ...(name === "h264_amf" ? inOrder : []),
    ...(name === "hevc_amf" ? ["-gops_per_idr", "1"] : [])
  ]
}

/** H.264 uses a profile for old players too; the others use the first profile, which every decoder supports. */
const looks = (name: HardwareEncoderName): Options => [
  ...(name.startsWith("h264") ? ["-profile:v", "high"] : []),
  // Apple plays HEVC in MP4 only with this tag.
  ...(name.startsWith("hevc") ? ["-tag:v", "hvc1"] : [])
]

/**
 * Video options of one rendition for a hardware encoder: its rate under the rendition's cap, its keyframes as in the
 * ladder. Each option is in ffmpeg's list for that encoder, but the result was never tested on a device.
 */
export const hardwareArguments = (rendition: Rendition, name: HardwareEncoderName): Options => {
  const kind = hardwareKind({ name })
  return kind === undefined
    ? []
    : ["-c:v", name, ...looks(name), ...own[kind](name, rendition), ...keyframes(rendition)]
}

const tebibyte = 1024 ** 4

/** Address space that an encoder needs, bytes: NVIDIA's libraries reserve far more than they use. */
export const addressSpace = (encoder: VideoEncoder | undefined, usual: number): number =>
  encoder !== undefined && hardwareKind(encoder) === "nvenc" ? Math.max(usual, tebibyte) : usual
