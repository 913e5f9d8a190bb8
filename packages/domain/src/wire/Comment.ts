import { Schema } from "effect"
import { Account, VideoChannelSummary } from "./Account.ts"
import { NullableTimestamp, NumberConstant, Page, Timestamp, Url } from "./Scalars.ts"

const common = {
  id: Schema.Int,
  url: Url,
  /** Markdown as its author wrote it; empty once it was deleted. */
  text: Schema.String,
  threadId: Schema.Int,
  inReplyToCommentId: Schema.NullOr(Schema.Int),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  heldForReview: Schema.Boolean
}

/**
 * A comment. The two totals are those of a thread, given with its first comment: replies on every level that are neither
 * deleted nor held for review; they are 0 of a reply. `account` is null once the comment was deleted (contract: VideoComment).
 */
export const VideoComment = Schema.Struct({
  ...common,
  videoId: Schema.Int,
  deletedAt: NullableTimestamp,
  isDeleted: Schema.Boolean,
  totalRepliesFromVideoAuthor: Schema.Int,
  totalReplies: Schema.Int,
  account: Schema.NullOr(Account)
}).annotate({ identifier: "VideoComment" })
export type VideoComment = typeof VideoComment.Type

/** Threads of a video; `totalNotDeletedComments` counts replies as well (contract: CommentThreadResponse). */
export const CommentThreads = Schema.Struct({
  total: Schema.Int,
  totalNotDeletedComments: Schema.Int,
  data: Schema.Array(VideoComment)
}).annotate({ identifier: "CommentThreadResponse" })
export type CommentThreads = typeof CommentThreads.Type

/** A comment with the first of its replies; `totalChildren` is how many there are to it (contract: VideoCommentThreadTree). */
export interface CommentTree {
  readonly comment: VideoComment
  readonly totalChildren: number
  readonly children: ReadonlyArray<CommentTree>
}
export const CommentTree = Schema.Struct({
  comment: VideoComment,
  totalChildren: Schema.Int,
  children: Schema.Array(Schema.suspend((): Schema.Codec<CommentTree> => CommentTree))
}).annotate({ identifier: "VideoCommentThreadTree" })

export const CommentReplies = Page(CommentTree)
export type CommentReplies = typeof CommentReplies.Type

export const WrittenComment = Schema.Struct({ comment: VideoComment }).annotate({
  identifier: "CommentThreadPostResponse"
})

/** A comment as those see it who look after videos (contract: VideoCommentForOwnerOrAdmin). */
export const ManagedComment = Schema.Struct({
  ...common,
  account: Account,
  video: Schema.Struct({
    id: Schema.Int,
    uuid: Schema.String,
    shortUUID: Schema.String,
    name: Schema.String,
    state: NumberConstant,
    channel: VideoChannelSummary
  }),
  automaticTags: Schema.Array(Schema.String)
}).annotate({ identifier: "VideoCommentForOwnerOrAdmin" })
export type ManagedComment = typeof ManagedComment.Type

export const ManagedComments = Page(ManagedComment)
