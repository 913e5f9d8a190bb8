import { Schema } from "effect"
import { ActorImage } from "./ActorImage.ts"
import { NullableTimestamp, NumberConstant, Page, Timestamp } from "./Scalars.ts"
import { VideoChannel } from "./VideoChannel.ts"

export const VideoChannelList = Page(VideoChannel).annotate({ identifier: "VideoChannelList" })
export type VideoChannelList = typeof VideoChannelList.Type

/** Answer to a new channel. */
export const VideoChannelCreated = Schema.Struct({ videoChannel: Schema.Struct({ id: Schema.Int }) }).annotate({
  identifier: "VideoChannelCreateResult"
})
export type VideoChannelCreated = typeof VideoChannelCreated.Type

/** What a channel takes over from one elsewhere (contract: VideoChannelSync). */
export const VideoChannelSync = Schema.Struct({
  id: Schema.Int,
  state: NumberConstant,
  externalChannelUrl: Schema.String,
  createdAt: Timestamp,
  lastSyncAt: NullableTimestamp,
  channel: VideoChannel,
  videoPrivacy: Schema.Int
}).annotate({ identifier: "VideoChannelSync" })
export type VideoChannelSync = typeof VideoChannelSync.Type

/** Answer to a new synchronisation. */
export const VideoChannelSyncCreated = Schema.Struct({ videoChannelSync: VideoChannelSync }).annotate({
  identifier: "VideoChannelSyncCreateResult"
})

export const VideoChannelSyncList = Page(VideoChannelSync).annotate({ identifier: "VideoChannelSyncList" })

/** The sizes of a banner that was just set. */
export const Banners = Schema.Struct({ banners: Schema.Array(ActorImage) })
