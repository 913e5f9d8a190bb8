import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { maxId } from "../ids/Ids.ts"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { field } from "../fields/Field.ts"
import { videoPasswordHeader } from "../requests/Headers.ts"
import { integer } from "../fields/Readers.ts"
import { VideoFileMetadata } from "../wire/VideoFile.ts"
import { Authenticated, MaybeAuthenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const params = { id: VideoIdOrUuid }
const fileParams = {
  ...params,
  videoFileId: field(integer({ min: 1, max: maxId, message: "Must be the id of a file of the video", documented: {} }))
}
const docs = (summary: string) =>
  ({
    summary,
    right: "MANAGE_VIDEO_FILES",
    problems: problems(400, 403, 404)
  }) as const

/** Files of a video: what ffprobe said of one, and deleting them. */
export class VideoFilesApi extends HttpApiGroup.make("videoFiles", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getVideoFileMetadata", "/api/v1/videos/:id/metadata/:videoFileId", {
      params: fileParams,
      headers: videoPasswordHeader,
      success: VideoFileMetadata
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "Get the ffprobe metadata of a video file", problems: problems(400, 401, 403, 404) }),
    HttpApiEndpoint.delete("delVideoHLS", "/api/v1/videos/:id/hls", { params, success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, docs("Delete the HLS playlist of a video with its files")),
    HttpApiEndpoint.delete("delVideoHLSFile", "/api/v1/videos/:id/hls/:videoFileId", {
      params: fileParams,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, docs("Delete one HLS rendition of a video")),
    HttpApiEndpoint.delete("delVideoWebVideos", "/api/v1/videos/:id/web-videos", {
      params,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, docs("Delete the web-video files of a video")),
    HttpApiEndpoint.delete("delVideoWebVideoFile", "/api/v1/videos/:id/web-videos/:videoFileId", {
      params: fileParams,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, docs("Delete one web-video file of a video"))
  )
  .annotate(OpenApi.Title, "Video Files") {}
