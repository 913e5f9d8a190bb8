import { Schema } from "effect"
import { AccountSummary, VideoChannelSummary } from "./Account.ts"
import { NullableString, NumberConstant, Page, Timestamp } from "./Scalars.ts"

/** A video as notifications name it (contract: VideoInfo). */
const VideoInfo = Schema.Struct({
  id: Schema.Int,
  uuid: Schema.String,
  shortUUID: Schema.String,
  name: Schema.String,
  state: NumberConstant
}).annotate({ identifier: "VideoInfo" })

const about = {
  /** The video itself: types 1, 5, 6 and 21. */
  video: Schema.Struct({ ...VideoInfo.fields, channel: VideoChannelSummary }),
  videoImport: Schema.Struct({
    id: Schema.Int,
    video: Schema.optionalKey(VideoInfo),
    torrentName: NullableString,
    magnetUri: NullableString,
    targetUrl: NullableString
  }),
  comment: Schema.Struct({
    id: Schema.Int,
    threadId: Schema.Int,
    heldForReview: Schema.Boolean,
    video: VideoInfo,
    account: AccountSummary
  }),
  /** A report: of a video, of a comment, or of an account. Without any of them where that is gone. */
  abuse: Schema.Struct({
    id: Schema.Int,
    /** Contract AbuseState. */
    state: Schema.Int,
    video: Schema.optionalKey(VideoInfo),
    comment: Schema.optionalKey(Schema.Struct({ id: Schema.Int, threadId: Schema.Int, video: VideoInfo })),
    account: Schema.optionalKey(AccountSummary)
  }),
  videoBlacklist: Schema.Struct({ id: Schema.Int, video: VideoInfo }),
  account: AccountSummary,
  actorFollow: Schema.Struct({
    id: Schema.Int,
    state: Schema.Literals(["pending", "accepted"]),
    follower: AccountSummary,
    following: Schema.Struct({
      type: Schema.Literals(["account", "channel", "instance"]),
      name: Schema.String,
      displayName: Schema.String,
      host: Schema.String
    })
  }),
  registration: Schema.Struct({ id: Schema.Int, username: Schema.String }),
  videoChannelCollaborator: Schema.Struct({
    id: Schema.Int,
    state: NumberConstant,
    channel: VideoChannelSummary,
    channelOwner: AccountSummary,
    account: AccountSummary
  }),
  changeOwnership: Schema.Struct({
    id: Schema.Int,
    state: NumberConstant,
    initiatorAccount: AccountSummary,
    nextOwnerAccount: AccountSummary,
    video: Schema.optionalKey(VideoInfo),
    channel: Schema.optionalKey(VideoChannelSummary)
  })
}

/** What notifications are about, by the member that says so. */
export type NotificationSubjects = { readonly [Member in keyof typeof about]: (typeof about)[Member]["Type"] }

/** A notification (contract: Notification). Which of the optional members is there follows from the type. */
export const Notification = Schema.Struct({
  id: Schema.Int,
  type: Schema.Int,
  read: Schema.Boolean,
  data: Schema.Struct({}),
  video: Schema.optionalKey(about.video),
  videoImport: Schema.optionalKey(about.videoImport),
  comment: Schema.optionalKey(about.comment),
  abuse: Schema.optionalKey(about.abuse),
  videoBlacklist: Schema.optionalKey(about.videoBlacklist),
  account: Schema.optionalKey(about.account),
  actorFollow: Schema.optionalKey(about.actorFollow),
  registration: Schema.optionalKey(about.registration),
  videoChannelCollaborator: Schema.optionalKey(about.videoChannelCollaborator),
  changeOwnership: Schema.optionalKey(about.changeOwnership),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Notification" })
export type Notification = typeof Notification.Type

export const NotificationList = Page(Notification).annotate({ identifier: "NotificationListResponse" })
export type NotificationList = typeof NotificationList.Type
