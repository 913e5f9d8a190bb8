import { Schema } from "effect"
import { Audience } from "./Audience.ts"

/** Types of activities this program sends (contract: activitypub.json, activities). */
export const ActivityType = Schema.Literals([
  "Accept",
  "Announce",
  "ApproveReply",
  "Create",
  "Delete",
  "Dislike",
  "Flag",
  "Follow",
  "Like",
  "Reject",
  "RejectReply",
  "Undo",
  "Update",
  "View"
])
export type ActivityType = typeof ActivityType.Type

/** An activity as it is sent, without context and signature. Follows and their answers are addressed to nobody. */
export const OutgoingActivity = Schema.Struct({
  type: ActivityType,
  id: Schema.String,
  actor: Schema.String,
  /** An address, or an object whole. */
  object: Schema.Union([Schema.String, Schema.JsonObject]),
  to: Schema.optionalKey(Audience.fields.to),
  cc: Schema.optionalKey(Audience.fields.cc),
  /** ApproveReply, RejectReply: what the comment answers. */
  inReplyTo: Schema.optionalKey(Schema.String),
  /** Flag: why, in the reporter's words. */
  content: Schema.optionalKey(Schema.String),
  mediaType: Schema.optionalKey(Schema.Literal("text/markdown")),
  /** Flag: predefined reasons. */
  tag: Schema.optionalKey(Schema.Array(Schema.Struct({ type: Schema.Literal("Hashtag"), name: Schema.String }))),
  /** Flag: seconds of the video. */
  startAt: Schema.optionalKey(Schema.Int),
  endAt: Schema.optionalKey(Schema.Int),
  /** View: until when somebody watches. */
  expires: Schema.optionalKey(Schema.String),
  /** View: how many watch. */
  result: Schema.optionalKey(
    Schema.Struct({
      type: Schema.Literal("InteractionCounter"),
      interactionType: Schema.Literal("WatchAction"),
      userInteractionCount: Schema.Int
    })
  )
})
export type OutgoingActivity = typeof OutgoingActivity.Type

/** What activities of one type alone have. */
export type ActivityDetails = Pick<
  OutgoingActivity,
  "content" | "endAt" | "expires" | "inReplyTo" | "mediaType" | "result" | "startAt" | "tag"
>

/** JSON text of an activity. */
export const encodeActivity = Schema.encodeSync(Schema.fromJsonString(OutgoingActivity))
