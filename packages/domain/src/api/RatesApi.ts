import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { videoPasswordHeader } from "../requests/Headers.ts"
import { rateVideo } from "../requests/RateRequests.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs } from "./Documentation.ts"
import { videoProblems } from "./VideoProblems.ts"

/** What people think of videos. */
export class RatesApi extends HttpApiGroup.make("rates", { topLevel: true })
  .add(
    HttpApiEndpoint.put("putVideosRate", "/api/v1/videos/:id/rate", {
      params: { id: VideoIdOrUuid },
      headers: videoPasswordHeader,
      payload: rateVideo,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Like or dislike a video, or remove the rating", problems: videoProblems })
  )
  .annotate(OpenApi.Title, "Video Rates") {}
