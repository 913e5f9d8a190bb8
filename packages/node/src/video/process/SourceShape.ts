import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import type { SourceShape } from "@kinora/storage/video/write/SourceRows"

/** The properties a video gets from its source. */
export const shapeOf = (info: MediaInfo): SourceShape => ({
  duration: Math.round(info.duration),
  aspectRatio: info.video === undefined ? null : Math.round((info.video.width / info.video.height) * 10_000) / 10_000
})
