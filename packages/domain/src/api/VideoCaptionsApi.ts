import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { videoPasswordHeader } from "../requests/Headers.ts"
import { VideoCaptionList } from "../wire/VideoAnswers.ts"
import { MaybeAuthenticated } from "./Authentication.ts"
import { Docs } from "./Documentation.ts"
import { videoProblems } from "./VideoProblems.ts"

/** Subtitles of a video. */
export class VideoCaptionsApi extends HttpApiGroup.make("videoCaptions", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getVideoCaptions", "/api/v1/videos/:id/captions", {
      params: { id: VideoIdOrUuid },
      headers: videoPasswordHeader,
      success: VideoCaptionList
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "Captions of a video", problems: videoProblems })
  )
  .annotate(OpenApi.Title, "Video Captions") {}
