import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { jsonOrForm } from "../requests/Payload.ts"
import { TranscodingOrder } from "../requests/SourceRequests.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const params = { id: VideoIdOrUuid }

/** The file a video was made from, and making its renditions anew. */
export class VideoSourceApi extends HttpApiGroup.make("videoSource", { topLevel: true })
  .add(
    HttpApiEndpoint.delete("deleteVideoSourceFile", "/api/v1/videos/:id/source/file", {
      params,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Delete the file a video was made from: its renditions stay",
        right: "MANAGE_VIDEO_FILES",
        problems: problems(400, 403, 404, [409, "video_already_being_transcoded"])
      }),
    HttpApiEndpoint.post("createVideoTranscoding", "/api/v1/videos/:id/transcoding", {
      params,
      payload: jsonOrForm(TranscodingOrder),
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag: "Video Transcoding",
        summary: "Make the HLS or the web-video renditions of a video anew, in place of those it has",
        right: "RUN_VIDEO_TRANSCODING",
        problems: problems(400, 403, 404, [409, "video_already_being_transcoded"])
      })
  )
  .annotate(OpenApi.Title, "Video") {}
