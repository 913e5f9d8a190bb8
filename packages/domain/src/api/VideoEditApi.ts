import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { videoFields } from "../requests/VideoFields.ts"
import { thumbnailTimecode } from "../requests/VideoUpload.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const params = { id: VideoIdOrUuid }
const picture = { type: "string", format: "binary" } as const

const { filename: _filename, generateTranscription: _transcription, ...changeable } = videoFields
const fields = Object.fromEntries(
  Object.entries({ ...changeable, thumbnailTimecode }).map(([name, { documented }]) => [name, documented])
)

/** Changing a video. Bodies are read by hand: they bring pictures and films. */
export class VideoEditApi extends HttpApiGroup.make("videoEdit", { topLevel: true })
  .add(
    HttpApiEndpoint.put("putVideo", "/api/v1/videos/:id", { params, success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Change a video; omitted fields stay as they are",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        body: {
          "multipart/form-data": {
            type: "object",
            properties: { ...fields, thumbnailfile: picture, previewfile: { ...picture, deprecated: true } }
          },
          "application/json": { type: "object", properties: fields }
        },
        problems: problems(400, 403, 404, 408, 413, 415, 507)
      }),
    HttpApiEndpoint.post("postVideosStudioEdit", "/api/v1/videos/:id/studio/edit", {
      params,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag: "Video Transcoding",
        summary: "Edit a video in the studio (not available in this version)",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        body: {
          "multipart/form-data": {
            type: "object",
            required: ["tasks"],
            properties: { tasks: { type: "array", items: { type: "object" } } }
          }
        },
        problems: problems(400, 403, 404, 501)
      })
  )
  .annotate(OpenApi.Title, "Video") {}
