import { liveJobType, type RunnerJobType, vodPartJobType } from "@kinora/domain/enums/RunnerJobType"

/** Job types that this program can do. */
export const jobTypes = [
  "vod-web-video-transcoding",
  "vod-hls-transcoding",
  "vod-audio-merge-transcoding",
  "generate-video-storyboard",
  liveJobType,
  vodPartJobType
] as const satisfies ReadonlyArray<RunnerJobType>
