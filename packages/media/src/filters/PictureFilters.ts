import type { VideoStream } from "../probe/MediaInfo.ts"
import type { ToolFeatures } from "../tools/ToolFeatures.ts"

/** The properties of a video that decide how its frames are prepared. */
export type ShownPicture = Pick<VideoStream, "interlaced" | "hdr" | "colorTransfer" | "colorPrimaries" | "colorSpace">

/** HDR to SDR by zscale and tonemap if ffmpeg has them. Empty for other video. */
export const toneMap = (video: ShownPicture, features: ToolFeatures): ReadonlyArray<string> => {
  if (!video.hdr) return []
  if (!features.zscale || !features.tonemap) return ["scale=in_color_matrix=bt2020:out_color_matrix=bt709"]
  // Files often leave out matrix and primaries: for HDR the default is BT.2020.
  const known = (value: string | undefined, usual: string) =>
    value === undefined || value === "unknown" ? usual : value
  const input = [
    `tin=${known(video.colorTransfer, "smpte2084")}`,
    `pin=${known(video.colorPrimaries, "bt2020")}`,
    `min=${known(video.colorSpace, "bt2020nc")}`
  ].join(":")
  return [
    `zscale=${input}:t=linear:npl=100`,
    "format=gbrpf32le",
    "zscale=p=bt709",
    "tonemap=tonemap=hable:desat=0",
    "zscale=t=bt709:m=bt709:r=tv"
  ]
}

/** Empty for progressive video, or if ffmpeg has no deinterlacer. */
export const deinterlace = (video: ShownPicture, features: ToolFeatures): ReadonlyArray<string> => {
  if (!video.interlaced) return []
  if (features.bwdif) return ["bwdif=mode=send_frame:deint=interlaced"]
  return features.yadif ? ["yadif=mode=send_frame:deint=interlaced"] : []
}

/** Scales to limited range. */
export const scaled = (width: number, height: number): string => `scale=${width}:${height}:flags=bicubic:out_range=tv`
