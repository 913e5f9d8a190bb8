import { VideoFactRows } from "@kinora/storage/videos/access/VideoFacts"
import { VideoParts } from "@kinora/storage/videos/access/VideoParts"
import { VideoLists } from "@kinora/storage/videos/reads/VideoLists"
import { VideoReads } from "@kinora/storage/videos/reads/VideoReads"
import { Layer } from "effect"
import { CommentServices } from "../comments/CommentServices.ts"
import { EditServices } from "../edit/EditServices.ts"
import { Overviews } from "../overviews/Overviews.ts"
import { PlaylistServices } from "../playlists/PlaylistServices.ts"
import { Searches } from "../search/Searches.ts"
import { ViewServices } from "../views/ViewServices.ts"
import { VideoAccess } from "./VideoAccess.ts"
import { VideoFileTokens } from "./VideoFileTokens.ts"

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
