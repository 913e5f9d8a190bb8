import { publicAudience } from "@kinora/federation/activities/Audience"
import { type ActivityDraft, lanes } from "../send/ActivityDraft.ts"

/** A comment of somebody elsewhere, below a video of ours. */
export interface ReviewedComment {
  readonly id: number
  readonly url: string
  readonly inReplyTo: string
  readonly videoUrl: string
  readonly authorUrl: string
  readonly authorInbox: string
}

const answer = (
  type: "ApproveReply" | "RejectReply",
  name: "approve-reply" | "reject-reply",
  comment: ReviewedComment
): ActivityDraft => ({
  type,
  uri: `${comment.videoUrl}/comments/${comment.id}/${name}`,
  object: comment.url,
  inReplyTo: comment.inReplyTo,
  audience: publicAudience([comment.authorUrl]),
  context: type,
  lane: lanes.content,
  recipients: { followersOf: [], inboxes: [comment.authorInbox] }
})

/** It may stand below the video. */
export const approveReplyActivity = (comment: ReviewedComment): ActivityDraft =>
  answer("ApproveReply", "approve-reply", comment)

/** It may not. */
export const rejectReplyActivity = (comment: ReviewedComment): ActivityDraft =>
  answer("RejectReply", "reject-reply", comment)
