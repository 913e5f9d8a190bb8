import { deinterlace, scaled, type ShownPicture, toneMap } from "../filters/PictureFilters.ts"
import type { Rendition } from "../ladder/Rendition.ts"
import type { ToolFeatures } from "../tools/ToolFeatures.ts"
import { encoderFilters, encoderFor, type VideoEncoder } from "./VideoEncoder.ts"

/** Label in the graph of the finished video of the n-th rendition. */
export const pictureLabel = (index: number): string => `[v${index}]`

/** A range of a video that is encoded separately. Its frames have the times of the whole video. */
export interface GraphPart {
  /** Its first frame at the rate of the first rendition. */
  readonly first: number
  /** Whether it begins before the first frame, which is then shown until its own time. */
  readonly early: boolean
  /** Degrees clockwise: a cut does not contain the rotation of its source. */
  readonly rotation: number
  /** Whether the last frame is repeated until the output is full. */
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

/** Frames keep their positions in the whole video: rounded from the same times, not from those of the range. */
const rangeOf = (rate: string, { early, first, last, rotation }: GraphPart) => ({
  turn: turned(rotation),
  frames: [
    // A cut does not contain the duration of its last frame, and fps would drop it.
    ...(last ? ["tpad=stop=-1:stop_mode=clone"] : []),
    early ? `fps=${rate}:start_time=0` : `fps=${rate}`,
    `trim=start_pts=${first}`
  ]
})

/**
 * One graph for all renditions: common steps (deinterlacing, constant frame rate, tone mapping, 8 bits) are done once,
 * at the largest size, then the video is split and scaled. `input` names the stream, for example `0:0`; `encoder` gets
 * the renditions of its codec; `part` is the range if only a part is encoded.
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
    // The cost of tone mapping depends on the pixels: shrink first.
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
