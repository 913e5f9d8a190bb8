import { scaled, toneMap } from "../filters/PictureFilters.ts"
import type { VideoStream } from "../probe/MediaInfo.ts"
import type { ToolFeatures } from "../tools/ToolFeatures.ts"
import type { StoryboardPlan } from "./StoryboardPlan.ts"

/**
 * The sprites of a storyboard, one frame each. They must not share a graph with the renditions: ffmpeg would buffer all
 * frames of the renditions until this slow output has one, which takes gigabytes.
 */
export const spriteFilters = (plan: StoryboardPlan, video: VideoStream, features: ToolFeatures): string =>
  [
    `fps=1/${plan.spriteDuration}:start_time=0:eof_action=pass`,
    scaled(plan.spriteWidth, plan.spriteHeight),
    "setsar=1",
    ...toneMap(video, features),
    "format=yuvj420p"
  ].join(",")

/** Arranges sprites row by row in one image. */
export const sheetFilter = (plan: StoryboardPlan): string => `tile=${plan.columns}x${plan.rows}:nb_frames=${plan.count}`
