import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { announcingHeaders, cancellingHeaders, chunkHeaders, uploadId } from "../requests/ResumableHeaders.ts"
import { videoFields } from "../requests/VideoFields.ts"
import { Docs, problems } from "./Documentation.ts"

const path = "/api/v1/videos/:id/source/replace-resumable"
const params = { id: VideoIdOrUuid }

/** Another source for a video, sent as a resumable upload is: raw routes, since their bodies are streamed to disk. */
export class SourceRoutes extends HttpApiGroup.make("sources", { topLevel: true })
  .add(
    HttpApiEndpoint.post("replaceVideoSourceResumableInit", path, { params, headers: announcingHeaders }).annotate(
      Docs,
      {
        summary: "Begin to replace the source of a video, which keeps its address and all that belongs to it",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        auth: "required",
        body: {
          "application/json": { type: "object", properties: { filename: videoFields.filename.documented } }
        },
        answers: {
          200: { description: "The file was there already", headers: ["Location"] },
          201: { description: "Send the bytes to the address in `Location`", headers: ["Location"] }
        },
        problems: problems(
          400,
          403,
          404,
          [409, "video_already_being_transcoded"],
          [413, "max_file_size_reached", "quota_reached"],
          415,
          507
        )
      }
    ),
    HttpApiEndpoint.put("replaceVideoSourceResumable", path, {
      params,
      query: { upload_id: uploadId },
      headers: chunkHeaders
    }).annotate(Docs, {
      summary: "Send a chunk of the new source, or ask how much has arrived",
      rightOverOthers: "UPDATE_ANY_VIDEO",
      auth: "required",
      body: { "application/octet-stream": { type: "string", format: "binary" } },
      answers: {
        204: { description: "The upload is complete and the video is being processed" },
        308: { description: "More is to come; `Range` says what has arrived", headers: ["Range"] }
      },
      problems: problems(
        400,
        403,
        404,
        [409, "video_already_being_transcoded"],
        [413, "quota_reached"],
        415,
        422,
        429,
        503,
        507
      )
    }),
    HttpApiEndpoint.delete("replaceVideoSourceResumableCancel", path, {
      params,
      query: { upload_id: uploadId },
      headers: cancellingHeaders
    }).annotate(Docs, {
      summary: "Cancel the replacement of a source while it is sent",
      rightOverOthers: "UPDATE_ANY_VIDEO",
      auth: "required",
      answers: { 204: { description: "Cancelled; nothing is left of it" } },
      problems: problems(400, 403, 404)
    })
  )
  .annotate(OpenApi.Title, "Video") {}
