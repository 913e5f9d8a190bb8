import type { FrameRate } from "./FrameRate.ts"
import type { VideoCodec } from "./VideoCodec.ts"

/**
 * One version to encode. `resolution` is the shorter side as people name it (720 for 1280x720 and for 720x1280), 0 for
 * audio only; `width` and `height` are even. Rates are bits/s.
 */
export interface Rendition {
  readonly resolution: number
  readonly width: number
  readonly height: number
  readonly frameRate: FrameRate
  /** Frames between keyframes: at the same times in every rendition of a ladder. */
  readonly keyframeEvery: number
  readonly codec: VideoCodec
  /** On the scale of the codec. */
  readonly crf: number
  readonly maxRate: number
  readonly bufferSize: number
  readonly hasVideo: boolean
}
