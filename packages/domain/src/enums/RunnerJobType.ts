/** Kinds of work runners can be given (contract: RunnerJobType). */
export const runnerJobTypes = [
  "vod-web-video-transcoding",
  "vod-hls-transcoding",
  "vod-audio-merge-transcoding",
  "live-rtmp-hls-transcoding",
  "video-studio-transcoding",
  "video-transcription",
  "generate-video-storyboard"
] as const
export type RunnerJobType = (typeof runnerJobTypes)[number]

/** The kinds this instance makes jobs of. */
export const madeRunnerJobTypes = [
  "vod-web-video-transcoding",
  "vod-hls-transcoding",
  "vod-audio-merge-transcoding",
  "generate-video-storyboard"
] as const satisfies ReadonlyArray<RunnerJobType>
export type MadeRunnerJobType = (typeof madeRunnerJobTypes)[number]
