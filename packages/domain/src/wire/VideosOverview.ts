import { Schema } from "effect"
import { VideoChannelSummary } from "./Account.ts"
import { NumberConstant } from "./Scalars.ts"
import { Video } from "./Video.ts"

const videos = Schema.Array(Video)

/** Some categories, channels and tags with some of their videos (contract: VideosOverview). */
export const VideosOverview = Schema.Struct({
  categories: Schema.Array(Schema.Struct({ category: NumberConstant, videos })),
  channels: Schema.Array(Schema.Struct({ channel: VideoChannelSummary, videos })),
  tags: Schema.Array(Schema.Struct({ tag: Schema.String, videos }))
}).annotate({ identifier: "VideosOverview" })
export type VideosOverview = typeof VideosOverview.Type
