import { Schema } from "effect"
import { NullableString, Page, Timestamp } from "./Scalars.ts"
import { Video } from "./Video.ts"

/** A video that moderators took from view (contract: VideoBlacklist). */
export const VideoBlock = Schema.Struct({
  id: Schema.Int,
  reason: NullableString,
  internalNote: NullableString,
  unfederated: Schema.Boolean,
  type: Schema.Literals([1, 2, 3]),
  video: Video,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "VideoBlacklist" })
export type VideoBlock = typeof VideoBlock.Type

export const VideoBlockList = Page(VideoBlock)
