import type { Rendition } from "../ladder/Rendition.ts"
import { type HardwareEncoderName, type HardwareKind, hardwareKind, type VideoEncoder } from "./VideoEncoder.ts"

type Options = ReadonlyArray<string>

/** What part of the cap is aimed at where an encoder takes a rate instead of a quality. */
const aimed = 0.6

const capped = ({ bufferSize, maxRate }: Rendition): Options => [
  ...["-maxrate", String(maxRate), "-bufsize", String(bufferSize)]
]

const variable = (rendition: Rendition): Options => [
  ...["-b:v", String(Math.round(rendition.maxRate * aimed))],
  ...capped(rendition)
]

/** A keyframe where the ladder has one, and none elsewhere but for the first. */
const keyframes = ({ keyframeEvery }: Rendition): Options => [
  ...["-g", String(keyframeEvery), "-force_key_frames", `expr:not(mod(n,${keyframeEvery}))`]
]

/** Without B-frames, which many of these chips lack: every keyframe is one to begin at. */
const inOrder = ["-bf", "0"]

const own: Readonly<Record<HardwareKind, (name: HardwareEncoderName, rendition: Rendition) => Options>> = {
  vaapi: (_, rendition) => ["-rc_mode", "VBR", ...inOrder, ...variable(rendition)],
  qsv: (_, rendition) => ["-forced_idr", "1", ...inOrder, ...variable(rendition)],
  // The one with a quality under a cap, as x264 has it; its numbers ask for a little more than x264's.
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

/** H.264 is for old players, too; of the others the first profile is the one every decoder has. */
const looks = (name: HardwareEncoderName): Options => [
  ...(name.startsWith("h264") ? ["-profile:v", "high"] : []),
  // Apple plays HEVC out of mp4 only under this name.
  ...(name.startsWith("hevc") ? ["-tag:v", "hvc1"] : [])
]

/**
 * Options of one rendition's picture for an encoder in silicon: its rate under the rendition's cap, its keyframes where the ladder
 * has them. Each is in ffmpeg's list of that encoder's options; what comes of them was never seen on a device.
 */
export const hardwareArguments = (rendition: Rendition, name: HardwareEncoderName): Options => {
  const kind = hardwareKind({ name })
  return kind === undefined
    ? []
    : ["-c:v", name, ...looks(name), ...own[kind](name, rendition), ...keyframes(rendition)]
}

const tebibyte = 1024 ** 4

/** Address space that an encoder needs, bytes: NVIDIA's libraries set aside far more of it than they use. */
export const addressSpace = (encoder: VideoEncoder | undefined, usual: number): number =>
  encoder !== undefined && hardwareKind(encoder) === "nvenc" ? Math.max(usual, tebibyte) : usual
