import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { VideoProcessing } from "../wire/VideoProcessing.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const path = "/api/v1/videos/:id/processing"
const params = { id: VideoIdOrUuid }
const tag = "Video Transcoding"

/** How the work on the files of a video stands, for who may edit it. */
export class VideoProcessingApi extends HttpApiGroup.make("videoProcessing", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getVideoProcessing", path, { params, success: VideoProcessing })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag,
        summary: "Get how the work on the files of a video stands, and why it failed",
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.post("retryVideoProcessing", `${path}/retry`, { params, success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag,
        summary: "Try again what failed of the work on the files of a video, or what would be tried again later",
        problems: problems(400, 403, 404, 409)
      })
  )
  .annotate(OpenApi.Title, "Video") {}
