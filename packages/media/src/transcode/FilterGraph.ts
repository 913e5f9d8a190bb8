import type { Rendition } from "../ladder/Rendition.ts"
import type { StoryboardPlan } from "../images/StoryboardPlan.ts"
import type { VideoStream } from "../probe/MediaInfo.ts"
import type { ToolFeatures } from "../tools/ToolFeatures.ts"
import { encoderFilters, encoderFor, type VideoEncoder } from "./VideoEncoder.ts"

/** What of a picture decides how it is prepared. */
export type ShownPicture = Pick<VideoStream, "interlaced" | "hdr" | "colorTransfer" | "colorPrimaries" | "colorSpace">

const toneMap = (video: ShownPicture, features: ToolFeatures): ReadonlyArray<string> => {
  if (!video.hdr) return []
  if (!features.zscale || !features.tonemap) return ["scale=in_color_matrix=bt2020:out_color_matrix=bt709"]
  // Files often leave matrix and primaries out: HDR without them means BT.2020.
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

const deinterlace = (video: ShownPicture, features: ToolFeatures): ReadonlyArray<string> => {
  if (!video.interlaced) return []
  if (features.bwdif) return ["bwdif=mode=send_frame:deint=interlaced"]
  return features.yadif ? ["yadif=mode=send_frame:deint=interlaced"] : []
}

const scaled = (width: number, height: number): string => `scale=${width}:${height}:flags=bicubic:out_range=tv`

/** Label of the finished picture of the n-th rendition in the graph. */
export const pictureLabel = (index: number): string => `[v${index}]`

/** A range of a video that is encoded by itself. Its pictures come with the times they have in the whole. */
export interface GraphPart {
  /** Its first frame at the rate of the first rendition. */
  readonly first: number
  /** Whether it begins before the first picture, which then stands until its time. */
  readonly early: boolean
  /** Degrees clockwise: what was cut out of a file does not tell how it is to be turned. */
  readonly rotation: number
  /** Whether the last picture stands until somebody has enough of it. */
  readonly last: boolean
}

const turned = (rotation: number): ReadonlyArray<string> => {
  switch (rotation) {
    case 90:
      return ["transpose=clock"]
    case 180:
      return ["hflip", "vflip"]
    case 270:
      return ["transpose=cclock"]
    default:
      return []
  }
}

const whole = (rate: string) => ({ turn: [], frames: [`fps=${rate}:start_time=0`] })

/** Frames keep the places of the whole: rounded from the same times, not from those of the range. */
const rangeOf = (rate: string, { early, first, last, rotation }: GraphPart) => ({
  turn: turned(rotation),
  frames: [
    // A cut does not tell how long its last picture is, and fps would leave it out.
    ...(last ? ["tpad=stop=-1:stop_mode=clone"] : []),
    early ? `fps=${rate}:start_time=0` : `fps=${rate}`,
    `trim=start_pts=${first}`
  ]
})

/**
 * One graph for all renditions: what all need (deinterlacing, even frame rate, tone mapping, 8 bits) is done once, at the largest
 * size, then split and scaled. `input` names the stream, for example `0:0`; `encoder` gets the renditions of its codec,
 * `part` is what is made when it is not all.
 */
export const renditionGraph = (
  input: string,
  video: ShownPicture,
  renditions: ReadonlyArray<Rendition>,
  features: ToolFeatures,
  encoder?: VideoEncoder,
  part?: GraphPart
): string => {
  const [top] = renditions
  if (top === undefined) return ""
  const range = part === undefined ? whole(top.frameRate.text) : rangeOf(top.frameRate.text, part)
  const shared = [
    ...range.turn,
    ...deinterlace(video, features),
    ...range.frames,
    // Tone mapping costs by the pixel: shrink first.
    ...(video.hdr ? [`scale=${top.width}:${top.height}:flags=bicubic`] : []),
    ...toneMap(video, features),
    "format=yuv420p"
  ]
  const labels = renditions.map((_, index) => `[s${index}]`).join("")
  const branches = renditions.map((rendition, index) => {
    const slower = rendition.frameRate.text === top.frameRate.text ? [] : [`fps=${rendition.frameRate.text}`]
    const chip = encoderFilters(encoderFor(rendition, encoder))
    const steps = [...slower, scaled(rendition.width, rendition.height), "setsar=1", ...chip]
    return `[s${index}]${steps.join(",")}${pictureLabel(index)}`
  })
  return [`[${input}]${shared.join(",")},split=${renditions.length}${labels}`, ...branches].join(";")
}

/**
 * The sprites of a storyboard, one picture each. They must not share a graph with the renditions: ffmpeg would hold back every
 * picture of theirs until this slow output has one, gigabytes of them.
 */
export const spriteFilters = (plan: StoryboardPlan, video: VideoStream, features: ToolFeatures): string =>
  [
    `fps=1/${plan.spriteDuration}:start_time=0:eof_action=pass`,
    scaled(plan.spriteWidth, plan.spriteHeight),
    "setsar=1",
    ...toneMap(video, features),
    "format=yuvj420p"
  ].join(",")

/** Sprites, laid out row by row in one picture. */
export const sheetFilter = (plan: StoryboardPlan): string => `tile=${plan.columns}x${plan.rows}:nb_frames=${plan.count}`

/** Filters that choose the most telling of the next `analyzed` pictures, at most 854 wide, tone-mapped and 8-bit. */
export const stillFilters = (video: VideoStream, analyzed: number, features: ToolFeatures): string => {
  const scale = Math.min(1, 854 / video.width)
  const size = [Math.max(1, Math.round(video.width * scale)), Math.max(1, Math.round(video.height * scale))] as const
  return [
    ...deinterlace(video, features),
    `scale=${size[0]}:${size[1]}:flags=fast_bilinear:out_range=tv`,
    "setsar=1",
    ...toneMap(video, features),
    ...(analyzed > 1 ? [`thumbnail=n=${analyzed}`] : []),
    "format=rgb24"
  ].join(",")
}
