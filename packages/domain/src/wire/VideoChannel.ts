import { Schema } from "effect"
import { Account, actorFields } from "./Account.ts"
import { ActorImage } from "./ActorImage.ts"
import { NullableString, Timestamp } from "./Scalars.ts"

/** Views of a day. */
export const ViewsPerDate = Schema.Struct({ date: Timestamp, views: Schema.Int })

/** A channel (contract: VideoChannel). Counts are there when they were asked for. */
export const VideoChannel = Schema.Struct({
  ...actorFields,
  support: NullableString,
  publicEmail: NullableString,
  isLocal: Schema.Boolean,
  banners: Schema.Array(ActorImage),
  ownerAccount: Schema.optionalKey(Account),
  videosCount: Schema.optionalKey(Schema.Int),
  viewsPerDay: Schema.optionalKey(Schema.Array(ViewsPerDate)),
  viewsGroupInterval: Schema.optionalKey(Schema.String),
  totalViews: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "VideoChannel" })
export type VideoChannel = typeof VideoChannel.Type
