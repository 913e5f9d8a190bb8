import { Schema } from "effect"
import { field, optional } from "../fields/Field.ts"
import { boolean, oneOf } from "../fields/Readers.ts"
import { videoFields } from "./VideoFields.ts"

/** Body that announces another source of a video (contract: VideoReplaceSourceRequestResumable). */
export const SourceAnnouncement = Schema.Struct({ filename: optional(videoFields.filename) })
export type SourceAnnouncement = typeof SourceAnnouncement.Type
export const decodeSourceAnnouncement = Schema.decodeUnknownEffect(SourceAnnouncement, { errors: "all" })

/** Which renditions are made anew, and whether an encode that is under way is given up for it (createVideoTranscoding). */
export const TranscodingOrder = Schema.Struct({
  transcodingType: field(oneOf(["hls", "web-video"], "Must be hls or web-video")),
  forceTranscoding: optional(boolean({ default: false }))
})
