import { Schema } from "effect"
import { NullableTimestamp, Page } from "./Scalars.ts"
import { VideoChannel } from "./VideoChannel.ts"

/** A channel that a user follows. `latestVideoAt` is ours: when its newest video was published, null where it has none. */
export const SubscribedChannel = Schema.Struct({
  ...VideoChannel.fields,
  latestVideoAt: NullableTimestamp
}).annotate({ identifier: "SubscribedChannel" })
export type SubscribedChannel = typeof SubscribedChannel.Type

export const SubscribedChannelList = Page(SubscribedChannel)
