import { VideoFactRows } from "@kinora/storage/video/access/VideoFacts"
import { VideoParts } from "@kinora/storage/video/read/VideoParts"
import { VideoLists } from "@kinora/storage/video/list/VideoLists"
import { replicated } from "@kinora/storage/platform/database/replica/Replicated"
import { VideoReads } from "@kinora/storage/video/read/VideoReads"
import { VideoBlockLists } from "@kinora/storage/video/block/VideoBlockLists"
import { VideoBlockRows } from "@kinora/storage/video/block/VideoBlockRows"
import { HlsFileDeletion } from "@kinora/storage/video/write/HlsFileDeletion"
import { Layer } from "effect"
import { VideoBlocks } from "../video/block/VideoBlocks.ts"
import { AbuseServices } from "../social/abuse/AbuseServices.ts"
import { CommentServices } from "../social/comment/CommentServices.ts"
import { EditServices } from "./EditServices.ts"
import { OwnershipServices } from "../video/ownership/OwnershipServices.ts"
import { Overviews } from "../video/overview/Overviews.ts"
import { pictureTokens } from "../video/list/PictureTokenLayer.ts"
import { PlaylistServices } from "../social/playlist/PlaylistServices.ts"
import { Searches } from "../video/search/Searches.ts"
import { SourceServices } from "../video/source/SourceServices.ts"
import { ViewServices } from "../video/view/ViewServices.ts"
import { VideoActs } from "../video/list/VideoActs.ts"
import { VideoAccess } from "../video/list/VideoAccess.ts"
import { VideoFileRemoval } from "../video/list/VideoFileRemoval.ts"
import { VideoFileTokens } from "../video/list/VideoFileTokens.ts"
import { VideoPermissions } from "../video/list/VideoPermissions.ts"
import { VideoRemoval } from "../video/list/VideoRemoval.ts"

const rows = Layer.mergeAll(
  VideoFactRows.layer,
  VideoParts.layer,
  replicated(VideoLists, VideoLists.layer),
  VideoReads.layer
)

const removals = Layer.merge(VideoRemoval.layer, VideoFileRemoval.layer.pipe(Layer.provide(HlsFileDeletion.layer)))

/**
 * Reading videos, deciding who may, and changing them: needs `SqlClient`, `InstanceSettings`, `RateLimitStore`, `JobBoard`,
 * `VideoDeletion`, `PeopleServices`, `Pictures` and the object store.
 */
export const VideoServices = PlaylistServices.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      AbuseServices,
      CommentServices,
      EditServices,
      ViewServices,
      OwnershipServices,
      SourceServices,
      removals,
      Overviews.layer,
      Searches.layer,
      VideoBlockLists.layer,
      VideoBlocks.layer.pipe(Layer.provide(VideoBlockRows.layer))
    )
  ),
  Layer.provideMerge(VideoActs.layer),
  Layer.provideMerge(VideoPermissions.layer),
  Layer.provideMerge(VideoAccess.layer),
  Layer.provideMerge(VideoFileTokens.layer),
  Layer.provideMerge(rows),
  Layer.provide(pictureTokens)
)
