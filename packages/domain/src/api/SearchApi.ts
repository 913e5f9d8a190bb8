import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { channelSearchQuery, playlistSearchQuery } from "../requests/ChannelSearchQuery.ts"
import { videoSearchQuery } from "../requests/VideoSearchQuery.ts"
import { VideoList } from "../wire/Video.ts"
import { VideoChannelList } from "../wire/VideoChannelAnswers.ts"
import { VideoPlaylistList } from "../wire/VideoPlaylist.ts"
import { MaybeAuthenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

/** Searches. What is known of other instances is found too; the search index is not asked by this version. */
export class SearchApi extends HttpApiGroup.make("search", { topLevel: true })
  .add(
    HttpApiEndpoint.get("searchVideos", "/api/v1/search/videos", { query: videoSearchQuery, success: VideoList })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "Search for videos", problems: problems(400, 401, 403, 501) }),
    HttpApiEndpoint.get("searchChannels", "/api/v1/search/video-channels", {
      query: channelSearchQuery,
      success: VideoChannelList
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "Search for channels", problems: problems(400, 501) }),
    HttpApiEndpoint.get("searchPlaylists", "/api/v1/search/video-playlists", {
      query: playlistSearchQuery,
      success: VideoPlaylistList
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "Search for playlists", problems: problems(400, 501) })
  )
  .annotate(OpenApi.Title, "Search") {}
