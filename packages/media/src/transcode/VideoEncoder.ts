import type { Rendition } from "../ladder/Rendition.ts"
import type { VideoCodec } from "../ladder/VideoCodec.ts"
import type { ToolFeatures } from "../tools/ToolFeatures.ts"

export const hardwareKinds = ["vaapi", "qsv", "nvenc", "amf"] as const

/** Hardware encoder interfaces: VAAPI and QSV on Intel and AMD, NVENC of NVIDIA, AMF of AMD. */
export type HardwareKind = (typeof hardwareKinds)[number]

/** Hardware encoders, by ffmpeg's names. */
export type HardwareEncoderName = `${"h264" | "hevc" | "av1"}_${HardwareKind}` | "vp9_vaapi" | "vp9_qsv"

/** Encoders whose arguments we know, by ffmpeg's names. */
export type VideoEncoderName = "libx264" | "libx265" | "libsvtav1" | "libvpx-vp9" | HardwareEncoderName

/** A video encoder. `device` is the absolute path of the device file, for encoders that need one (VAAPI, QSV). */
export interface VideoEncoder {
  readonly name: VideoEncoderName
  readonly device?: string | undefined
}

const software = {
  h264: "libx264",
  hevc: "libx265",
  av1: "libsvtav1",
  vp9: "libvpx-vp9"
} as const satisfies Record<VideoCodec, VideoEncoderName>

/** The software encoder of a codec, which runs on every machine whose ffmpeg was built with it. */
export const softwareEncoder = (codec: VideoCodec): VideoEncoder => ({ name: software[codec] })

/** Whether an ffmpeg has the software encoder of a codec. */
export const canEncode = ({ encoders }: ToolFeatures, codec: VideoCodec): boolean => encoders.has(software[codec])

/** The codec of an encoder. */
const codecOf = (name: VideoEncoderName): VideoCodec => {
  switch (name) {
    case "libx264":
      return "h264"
    case "libx265":
      return "hevc"
    case "libsvtav1":
      return "av1"
    case "libvpx-vp9":
      return "vp9"
    default:
      return name.slice(0, name.indexOf("_")) as VideoCodec
  }
}

/** The encoder of a rendition: the chosen one if it produces the rendition's codec, else the software encoder. */
export const encoderFor = ({ codec }: Pick<Rendition, "codec">, chosen: VideoEncoder | undefined): VideoEncoder =>
  chosen !== undefined && codecOf(chosen.name) === codec ? chosen : softwareEncoder(codec)

/** The interface of a hardware encoder. Undefined for software encoders. */
export const hardwareKind = ({ name }: VideoEncoder): HardwareKind | undefined =>
  hardwareKinds.find((kind) => name.endsWith(`_${kind}`))

/** Default device of VAAPI and QSV: the first graphics processor. */
const firstDevice = "/dev/dri/renderD128"

/** Options of the whole ffmpeg run that an encoder needs, before its inputs. */
export const deviceArguments = (encoder: VideoEncoder): ReadonlyArray<string> => {
  const device = encoder.device ?? firstDevice
  switch (hardwareKind(encoder)) {
    case "vaapi":
      return ["-init_hw_device", `vaapi=hw:${device}`, "-filter_hw_device", "hw"]
    case "qsv":
      return ["-init_hw_device", `qsv=hw,child_device=${device}`, "-filter_hw_device", "hw"]
    default:
      return []
  }
}

/** Filters directly before an encoder: they convert frames to its input format. */
export const encoderFilters = (encoder: VideoEncoder): ReadonlyArray<string> => {
  switch (hardwareKind(encoder)) {
    case "vaapi":
      return ["format=nv12", "hwupload"]
    case "qsv":
      return ["format=nv12", "hwupload=extra_hw_frames=64"]
    default:
      return []
  }
}
