import { VideoFactRows } from "@kinora/storage/video/access/VideoFacts"
import { VideoParts } from "@kinora/storage/video/access/VideoParts"
import { VideoLists } from "@kinora/storage/video/list/VideoLists"
import { VideoReads } from "@kinora/storage/video/read/VideoReads"
import { Layer } from "effect"
import { CommentServices } from "../social/comment/CommentServices.ts"
import { EditServices } from "./EditServices.ts"
import { Overviews } from "../video/overview/Overviews.ts"
import { PlaylistServices } from "../social/playlist/PlaylistServices.ts"
import { Searches } from "../video/search/Searches.ts"
import { ViewServices } from "../video/view/ViewServices.ts"
import { VideoAccess } from "../video/list/VideoAccess.ts"
import { VideoFileTokens } from "../video/list/VideoFileTokens.ts"

const rows = Layer.mergeAll(VideoFactRows.layer, VideoParts.layer, VideoLists.layer, VideoReads.layer)

/**
 * Reading videos, deciding who may, and changing them: needs `SqlClient`, `InstanceSettings`, `RateLimitStore`,
 * `PeopleServices`, `Pictures` and the object store.
 */
export const VideoServices = PlaylistServices.pipe(
  Layer.provideMerge(Layer.mergeAll(CommentServices, EditServices, ViewServices, Overviews.layer, Searches.layer)),
  Layer.provideMerge(VideoAccess.layer),
  Layer.provideMerge(VideoFileTokens.layer),
  Layer.provideMerge(rows)
)
