import { deinterlace, toneMap } from "../filters/PictureFilters.ts"
import type { VideoStream } from "../probe/MediaInfo.ts"
import type { ToolFeatures } from "../tools/ToolFeatures.ts"

/**
 * Filters that choose the most representative of the next `analyzed` frames, at most 854 wide, tone-mapped and 8-bit.
 */
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
