import { Schema } from "effect"
import { NumberConstant } from "./Scalars.ts"

/** Which sites may show a video in a frame. */
export const VideoEmbedPrivacy = Schema.Struct({
  policy: NumberConstant,
  domains: Schema.Array(Schema.String)
}).annotate({ identifier: "VideoEmbedPrivacy" })
export type VideoEmbedPrivacy = typeof VideoEmbedPrivacy.Type

/** Whether one site may, and whether who asks may see the video in a frame wherever it is. */
export const VideoEmbedPrivacyAllowed = Schema.Struct({
  domainAllowed: Schema.Boolean,
  userBypassAllowed: Schema.Boolean
}).annotate({ identifier: "VideoEmbedPrivacyAllowed" })
export type VideoEmbedPrivacyAllowed = typeof VideoEmbedPrivacyAllowed.Type
