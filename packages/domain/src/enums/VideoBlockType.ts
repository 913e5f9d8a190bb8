/** Who blocked a video (contract: VideoBlacklistType). */
export const VideoBlockType = {
  /** A moderator. */
  manual: 1,
  /** The instance, which blocks each new video until somebody has reviewed it. */
  automatic: 2,
  /** The instance, for an automatic tag of the video. */
  tagPolicy: 3
} as const
export type VideoBlockType = (typeof VideoBlockType)[keyof typeof VideoBlockType]
