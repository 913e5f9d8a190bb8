import { Schema } from "effect"
import { Video } from "./Video.ts"

/** A video somebody rated, and how (contract: VideoRating). */
export const VideoRating = Schema.Struct({
  video: Video,
  rating: Schema.Literals(["like", "dislike"])
}).annotate({ identifier: "VideoRating" })
export type VideoRating = typeof VideoRating.Type
