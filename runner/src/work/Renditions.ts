import { frameRate } from "@kinora/media/ladder/FrameRate"
import { ladder, segmentSeconds } from "@kinora/media/ladder/Ladder"
import type { Rendition } from "@kinora/media/ladder/Rendition"
import type { StoryboardPlan } from "@kinora/media/images/StoryboardPlan"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import type { StoryboardPayload } from "../server/Protocol.ts"

/** A rate that is nearer than this is the one asked for: 29.97 is 30 in whole numbers. */
const sameRate = 0.03

/**
 * The rendition a server asks for, of the same quality as its own ladder has. Its rate is the one asked for; what is nearly so
 * stays as it is. Undefined: the source has no such thing.
 */
export const renditionFor = (
  info: MediaInfo,
  { fps, resolution }: { readonly resolution: number; readonly fps: number }
): Rendition | undefined => {
  const settings = { resolutions: [resolution], alwaysTranscodeOriginalResolution: false, maxFps: Math.max(1, fps) }
  const made = ladder(info, settings).find(({ hasVideo }) => hasVideo === resolution > 0)
  if (made === undefined || !made.hasVideo || fps <= 0) return made
  if (Math.abs(made.frameRate.value - fps) / fps <= sameRate) return made
  const rate = frameRate(fps)
  return { ...made, frameRate: rate, keyframeEvery: Math.max(1, Math.round(rate.value * segmentSeconds)) }
}

/** The sheet a server asks for: it tells players of the sizes it chose. */
export const sheetFor = (info: MediaInfo, { count, duration, size }: (typeof StoryboardPayload.Type)["sprites"]) =>
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
