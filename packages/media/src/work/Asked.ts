import type { StoryboardPlan } from "../images/StoryboardPlan.ts"
import { frameRate } from "../ladder/FrameRate.ts"
import { ladder, segmentSeconds } from "../ladder/Ladder.ts"
import type { Rendition } from "../ladder/Rendition.ts"
import { type CodecChoice, defaultQuality, type VideoCodec } from "../ladder/VideoCodec.ts"
import type { MediaInfo } from "../probe/MediaInfo.ts"

/** A rendition as the jobs of runners name it (contract: runner-protocol.json, jobTypes.*.payload.output). */
export interface AskedRendition {
  /** 0: the sound alone. */
  readonly resolution: number
  /** Whole frames per second; 0: as they are. */
  readonly fps: number
  /** The protocol has no word for it: H.264, unless whoever does the work chooses another. */
  readonly codec?: VideoCodec | undefined
  /** How good it is to be, by codec; as in a ladder that nobody configured when absent. */
  readonly quality?: CodecChoice["quality"] | undefined
}

/** Sprites as a job names them. `duration`: seconds a sprite. */
export interface AskedSprites {
  readonly size: { readonly width: number; readonly height: number }
  readonly count: { readonly width: number; readonly height: number }
  readonly duration: number
}

/** A rate that is nearer than this is the one asked for: 29.97 is 30 in whole numbers. */
const sameRate = 0.03
/** Where no rate is asked for, none is faster. */
const usualFps = 60

/**
 * The rendition that is asked for, of the same quality as in a ladder. Its rate is the one asked for; what is nearly so
 * stays as it is. Undefined: the source has no such thing.
 */
export const renditionFor = (info: MediaInfo, asked: AskedRendition): Rendition | undefined => {
  const { codec = "h264", fps, quality = defaultQuality, resolution } = asked
  // 12.4 is asked for as 12, and must not be halved for it.
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

/** The sheet that is asked for: players use the sizes that were chosen. */
export const sheetFor = (info: MediaInfo, { count, duration, size }: AskedSprites) =>
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
