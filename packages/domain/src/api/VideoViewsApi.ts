import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { videoPasswordHeader } from "../requests/Headers.ts"
import { userViewingVideo } from "../requests/ViewRequests.ts"
import { MaybeAuthenticated } from "./Authentication.ts"
import { Docs } from "./Documentation.ts"
import { videoProblems } from "./VideoProblems.ts"

const request = {
  params: { id: VideoIdOrUuid },
  headers: videoPasswordHeader,
  payload: userViewingVideo,
  success: HttpApiSchema.NoContent
}

/** Reports of watching a video: they count views and viewers, and remember the position. */
export class VideoViewsApi extends HttpApiGroup.make("videoViews", { topLevel: true })
  .add(
    HttpApiEndpoint.post("addView", "/api/v1/videos/:id/views", request)
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "Report the viewer's position in a video", problems: videoProblems }),
    HttpApiEndpoint.post("setVideoWatchingPost", "/api/v1/videos/:id/watching", request)
      .middleware(MaybeAuthenticated)
      .annotate(Docs, {
        summary: "Report the viewer's position in a video",
        deprecated: true,
        problems: videoProblems
      }),
    HttpApiEndpoint.put("setVideoWatching", "/api/v1/videos/:id/watching", request)
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "Report the viewer's position in a video", deprecated: true, problems: videoProblems })
  )
  .annotate(OpenApi.Title, "Video") {}
