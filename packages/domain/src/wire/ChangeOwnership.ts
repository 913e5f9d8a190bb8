import { Schema } from "effect"
import { Account, VideoChannelSummary } from "./Account.ts"
import { NumberConstant, Page, Timestamp } from "./Scalars.ts"

/** A video inside something else (contract: VideoSummary). */
const VideoSummary = Schema.Struct({
  id: Schema.Int,
  uuid: Schema.String,
  shortUUID: Schema.String,
  name: Schema.String,
  isLive: Schema.Boolean,
  nsfw: Schema.Boolean,
  publishedAt: Timestamp,
  thumbnails: Schema.Array(Schema.Unknown),
  channel: VideoChannelSummary
}).annotate({ identifier: "VideoSummary" })

/**
 * A request to take over a video or a channel (contract: ChangeOwnership): the member of its kind is there. `status` is
 * what older clients read in place of `state`.
 */
const ChangeOwnership = Schema.Struct({
  id: Schema.Int,
  state: NumberConstant,
  status: Schema.Literals(["WAITING", "ACCEPTED", "REFUSED"]),
  initiatorAccount: Account,
  nextOwnerAccount: Account,
  video: Schema.optionalKey(VideoSummary),
  videoChannel: Schema.optionalKey(VideoChannelSummary),
  createdAt: Timestamp
}).annotate({ identifier: "ChangeOwnership" })
export type ChangeOwnership = typeof ChangeOwnership.Type

export const ChangeOwnershipList = Page(ChangeOwnership)
