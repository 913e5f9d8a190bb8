import { Schema } from "effect"
import { abuseReasonNames } from "../enums/AbuseReason.ts"
import { Account, AccountSummary } from "./Account.ts"
import { NumberConstant, Page, Timestamp } from "./Scalars.ts"
import { Thumbnail } from "./Thumbnail.ts"
import { VideoChannel } from "./VideoChannel.ts"

/** Seconds into the video; null: none were named. */
const seconds = Schema.NullOr(Schema.Int)

/**
 * A video that was reported, as it is, or as it was when it has been deleted since (contract: AdminVideoAbuse). `countReports`
 * is how often it was reported, `nthReport` which of these the report is; the reporter is shown only their own.
 */
const VideoAbuse = Schema.Struct({
  id: Schema.Int,
  uuid: Schema.String,
  shortUUID: Schema.String,
  name: Schema.String,
  nsfw: Schema.Boolean,
  deleted: Schema.Boolean,
  blacklisted: Schema.Boolean,
  startAt: seconds,
  endAt: seconds,
  thumbnailPath: Schema.optionalKey(Schema.String),
  thumbnails: Schema.Array(Thumbnail),
  channel: Schema.optionalKey(VideoChannel),
  countReports: Schema.Int,
  nthReport: Schema.Int
}).annotate({ identifier: "AdminVideoAbuse" })
export type VideoAbuse = typeof VideoAbuse.Type

/** A comment that was reported, as it is, or as it was when it has been deleted since (contract: AdminVideoCommentAbuse). */
const CommentAbuse = Schema.Struct({
  id: Schema.Int,
  threadId: Schema.Int,
  video: Schema.Struct({ id: Schema.Int, name: Schema.String, uuid: Schema.String }),
  text: Schema.String,
  deleted: Schema.Boolean
}).annotate({ identifier: "AdminVideoCommentAbuse" })
export type CommentAbuse = typeof CommentAbuse.Type

const common = {
  id: Schema.Int,
  reason: Schema.String,
  predefinedReasons: Schema.Array(Schema.Literals(abuseReasonNames)),
  state: NumberConstant,
  /** Whose the reported thing is; absent: that account is gone. */
  flaggedAccount: Schema.optionalKey(Account),
  video: Schema.optionalKey(VideoAbuse),
  comment: Schema.optionalKey(CommentAbuse),
  countMessages: Schema.Int,
  createdAt: Timestamp,
  updatedAt: Timestamp
}

/**
 * A report as moderators see it (contract: AdminAbuse). `reporterAccount` and `countReportsForReporter`, the number of their
 * reports, are absent when the reporter is gone; `countReportsForReportee` is how often things of the flagged account were
 * reported.
 */
export const AdminAbuse = Schema.Struct({
  ...common,
  reporterAccount: Schema.optionalKey(Account),
  moderationComment: Schema.optionalKey(Schema.String),
  countReportsForReporter: Schema.optionalKey(Schema.Int),
  countReportsForReportee: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "AdminAbuse" })
export type AdminAbuse = typeof AdminAbuse.Type

export const AdminAbuses = Page(AdminAbuse)

/** A report as its reporter sees it: without what moderators note (contract: UserAbuse). */
export const UserAbuse = Schema.Struct(common).annotate({ identifier: "UserAbuse" })
export type UserAbuse = typeof UserAbuse.Type

export const UserAbuses = Page(UserAbuse)

/** What the reporter or a moderator wrote about a report (contract: AbuseMessage). `account` is null once it is gone. */
export const AbuseMessage = Schema.Struct({
  id: Schema.Int,
  message: Schema.String,
  byModerator: Schema.Boolean,
  createdAt: Timestamp,
  account: Schema.NullOr(AccountSummary)
}).annotate({ identifier: "AbuseMessage" })
export type AbuseMessage = typeof AbuseMessage.Type

export const AbuseMessages = Page(AbuseMessage)
export type AbuseMessages = typeof AbuseMessages.Type

export const ReportedAbuse = Schema.Struct({ abuse: Schema.Struct({ id: Schema.Int }) })
export const WrittenAbuseMessage = Schema.Struct({ abuseMessage: Schema.Struct({ id: Schema.Int }) })
