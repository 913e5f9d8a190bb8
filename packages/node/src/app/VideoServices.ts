import { VideoFactRows } from "@kinora/storage/video/access/VideoFacts"
import { VideoParts } from "@kinora/storage/video/read/VideoParts"
import { VideoLists } from "@kinora/storage/video/list/VideoLists"
import { VideoReads } from "@kinora/storage/video/read/VideoReads"
import { VideoBlockRows } from "@kinora/storage/video/block/VideoBlockRows"
import { Layer } from "effect"
import { VideoBlocks } from "../video/block/VideoBlocks.ts"
import { CommentServices } from "../social/comment/CommentServices.ts"
import { EditServices } from "./EditServices.ts"
import { Overviews } from "../video/overview/Overviews.ts"
import { pictureTokens } from "../video/list/PictureTokenLayer.ts"
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
  Layer.provideMerge(
    Layer.mergeAll(
      CommentServices,
      EditServices,
      ViewServices,
      Overviews.layer,
      Searches.layer,
      VideoBlocks.layer.pipe(Layer.provideMerge(VideoBlockRows.layer))
    )
  ),
  Layer.provideMerge(VideoAccess.layer),
  Layer.provideMerge(VideoFileTokens.layer),
  Layer.provideMerge(rows),
  Layer.provide(pictureTokens)
)
