/**
 * A type of ours beside those of the contract: one time range of a video in every rendition, or its sound. Only runners that
 * name it in `jobTypes` are offered it.
 */
export const vodPartJobType = "kinora-vod-part-transcoding"

/** Kinds of work every runner may be offered (contract: RunnerJobType). */
export const publicRunnerJobTypes = [
  "vod-web-video-transcoding",
  "vod-hls-transcoding",
  "vod-audio-merge-transcoding",
  "live-rtmp-hls-transcoding",
  "video-studio-transcoding",
  "video-transcription",
  "generate-video-storyboard"
] as const

/** Kinds of work runners can be given. */
export const runnerJobTypes = [...publicRunnerJobTypes, vodPartJobType] as const
export type RunnerJobType = (typeof runnerJobTypes)[number]

/** The kind that transcodes a live while it is published. */
export const liveJobType = "live-rtmp-hls-transcoding"

/** The kinds this instance makes jobs of. */
export const madeRunnerJobTypes = [
  "vod-web-video-transcoding",
  "vod-hls-transcoding",
  "vod-audio-merge-transcoding",
  "generate-video-storyboard",
  liveJobType,
  vodPartJobType
] as const satisfies ReadonlyArray<RunnerJobType>
export type MadeRunnerJobType = (typeof madeRunnerJobTypes)[number]
