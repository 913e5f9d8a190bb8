import { VideoFactRows } from "@kinora/storage/videos/access/VideoFacts"
import { VideoParts } from "@kinora/storage/videos/access/VideoParts"
import { VideoLists } from "@kinora/storage/videos/reads/VideoLists"
import { VideoReads } from "@kinora/storage/videos/reads/VideoReads"
import { Layer } from "effect"
import { VideoAccess } from "./VideoAccess.ts"
import { VideoFileTokens } from "./VideoFileTokens.ts"

const rows = Layer.mergeAll(VideoFactRows.layer, VideoParts.layer, VideoLists.layer, VideoReads.layer)

/** Reading videos and deciding who may: needs `SqlClient`, `InstanceSettings` and `RateLimitStore`. */
export const VideoServices = VideoAccess.layer.pipe(Layer.provideMerge(VideoFileTokens.layer), Layer.provideMerge(rows))
