import type { StoryboardPlan } from "../images/StoryboardPlan.ts"
import { frameRate } from "../ladder/FrameRate.ts"
import { ladder, segmentSeconds } from "../ladder/Ladder.ts"
import type { Rendition } from "../ladder/Rendition.ts"
import { type CodecChoice, defaultQuality, type VideoCodec } from "../ladder/VideoCodec.ts"
import type { MediaInfo } from "../probe/MediaInfo.ts"

/** A rendition as runner jobs describe it (contract: runner-protocol.json, jobTypes.*.payload.output). */
export interface RequestedRendition {
  /** 0: audio only. */
  readonly resolution: number
  /** Whole frames per second; 0: unchanged. */
  readonly fps: number
  /** The protocol does not say: H.264, unless the runner chooses another. */
  readonly codec?: VideoCodec | undefined
  /** Quality by codec. Absent: the default of a ladder. */
  readonly quality?: CodecChoice["quality"] | undefined
}

/** Sprites as a job describes them. `duration`: seconds per sprite. */
export interface RequestedSprites {
  readonly size: { readonly width: number; readonly height: number }
  readonly count: { readonly width: number; readonly height: number }
  readonly duration: number
}

/** A rate within this share of the requested one is accepted as it is: 29.97 counts as 30. */
const sameRate = 0.03
/** Maximum rate if none is requested. */
const usualFps = 60

/**
 * The requested rendition, with the same quality as in a ladder. Its rate is the requested one; a rate close to it is
 * unchanged. Undefined: the source has no such stream.
 */
export const renditionFor = (info: MediaInfo, asked: RequestedRendition): Rendition | undefined => {
  const { codec = "h264", fps, quality = defaultQuality, resolution } = asked
  // A rate of 12.4 is requested as 12, and must not be halved because of that.
  const maxFps = fps > 0 ? fps + 0.5 : usualFps
  const settings = { resolutions: [resolution], alwaysTranscodeOriginalResolution: false, maxFps }
  const made = ladder(info, settings, { codec, quality, keepH264: false }).find(
    ({ hasVideo }) => hasVideo === resolution > 0
  )
  if (made === undefined || !made.hasVideo || fps <= 0) return made
  const { value } = made.frameRate
  if (Math.round(value) === fps || Math.abs(value - fps) / fps <= sameRate) return made
  const rate = frameRate(fps)
  return { ...made, frameRate: rate, keyframeEvery: Math.max(1, Math.round(rate.value * segmentSeconds)) }
}

/** The requested sheet: players rely on the requested sizes. */
export const sheetFor = (info: MediaInfo, { count, duration, size }: RequestedSprites) =>
  ({
    totalWidth: count.width * size.width,
    totalHeight: count.height * size.height,
    spriteWidth: size.width,
    spriteHeight: size.height,
    spriteDuration: duration,
    columns: count.width,
    rows: count.height,
    count: Math.min(count.width * count.height, Math.max(1, Math.ceil(info.duration / duration)))
  }) satisfies StoryboardPlan
