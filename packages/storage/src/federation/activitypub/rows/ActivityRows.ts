import { Schema } from "effect"

/** A video that an actor announces. */
export const AnnounceRow = Schema.Struct({
  videoUrl: Schema.String,
  /** The account of the video. */
  ownerUrl: Schema.String,
  actorId: Schema.Int,
  actorUrl: Schema.String
})
export type AnnounceRow = typeof AnnounceRow.Type

/** A like or dislike by an account of this instance. */
export const RateRow = Schema.Struct({
  type: Schema.Literals(["like", "dislike"]),
  url: Schema.String,
  actorUrl: Schema.String,
  videoUrl: Schema.String
})
export type RateRow = typeof RateRow.Type

/** A comment that the owner of a video of this instance let in. */
export const ApprovalRow = Schema.Struct({
  commentId: Schema.Int,
  commentUrl: Schema.String,
  /** The comment or video that the comment answers. */
  inReplyTo: Schema.String,
  videoUuid: Schema.String,
  /** Who approves: the account of the video. */
  actorUrl: Schema.String
})
export type ApprovalRow = typeof ApprovalRow.Type
