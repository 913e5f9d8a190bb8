import { Schema } from "effect"
import { AccountSummary } from "./Account.ts"
import { NumberConstant, Page, Timestamp, Url } from "./Scalars.ts"

const named = {
  id: Schema.Int,
  name: Schema.String,
  uuid: Schema.String,
  shortUUID: Schema.String,
  url: Url
}

/**
 * Something that was done in a channel (contract: VideoChannelActivity). The account is missing when it was deleted. Of
 * what it was done to, the member of its kind is there, called as it was then; `targetAccount` is who it was given to.
 */
const VideoChannelActivity = Schema.Struct({
  id: Schema.Int,
  account: Schema.optionalKey(AccountSummary),
  action: NumberConstant,
  targetType: NumberConstant,
  details: Schema.Record(Schema.String, Schema.Unknown),
  createdAt: Timestamp,
  channel: Schema.Struct({ id: Schema.Int, name: Schema.String, displayName: Schema.String, url: Url }),
  video: Schema.NullOr(Schema.Struct({ ...named, isLive: Schema.Boolean })),
  videoImport: Schema.NullOr(Schema.Struct({ ...named, targetUrl: Schema.String })),
  playlist: Schema.NullOr(Schema.Struct(named)),
  channelSync: Schema.NullOr(Schema.Struct({ id: Schema.Int, externalChannelUrl: Schema.String })),
  targetAccount: Schema.optionalKey(Schema.Struct({ username: Schema.String, displayName: Schema.String, url: Url }))
}).annotate({ identifier: "VideoChannelActivity" })
export type VideoChannelActivity = typeof VideoChannelActivity.Type

export const ChannelActivityList = Page(VideoChannelActivity).annotate({ identifier: "ChannelActivityListResponse" })
