import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import type { JsonSchema } from "../fields/Field.ts"
import { announcingHeaders, cancellingHeaders, chunkHeaders, uploadId } from "../requests/ResumableHeaders.ts"
import { videoFields } from "../requests/VideoFields.ts"
import { Docs, problems } from "./Documentation.ts"

const documented = (names: ReadonlyArray<keyof typeof videoFields>): Record<string, JsonSchema> =>
  Object.fromEntries(names.map((name) => [name, videoFields[name].documented]))

const binary = { type: "string", format: "binary" } as const

const { filename, ...common } = videoFields
const fields: Record<string, JsonSchema> = {
  ...documented(Object.keys(common) as Array<keyof typeof videoFields>),
  thumbnailfile: binary,
  previewfile: { ...binary, deprecated: true }
}

const uploaded = {
  description: "The upload is complete and the video is being processed",
  content: "application/json",
  schema: {
    type: "object",
    required: ["video"],
    properties: {
      video: {
        type: "object",
        required: ["id", "uuid", "shortUUID"],
        properties: { id: { type: "integer" }, uuid: { type: "string", format: "uuid" }, shortUUID: { type: "string" } }
      }
    }
  }
} as const

const tooLarge = [413, "max_file_size_reached", "quota_reached"] as const

/** Uploads: raw routes, since their bodies are streamed to disk. */
export class UploadRoutes extends HttpApiGroup.make("uploads", { topLevel: true })
  .add(
    HttpApiEndpoint.post("uploadLegacy", "/api/v1/videos/upload").annotate(Docs, {
      summary: "Upload a video in one request",
      auth: "required",
      body: {
        "multipart/form-data": {
          type: "object",
          required: ["name", "channelId", "videofile"],
          properties: { ...fields, videofile: binary }
        }
      },
      answers: { 200: uploaded },
      problems: problems(400, 403, 408, tooLarge, 415, 422, 507)
    }),
    HttpApiEndpoint.post("uploadResumableInit", "/api/v1/videos/upload-resumable", {
      headers: announcingHeaders
    }).annotate(Docs, {
      summary: "Begin a resumable upload",
      auth: "required",
      body: {
        "application/json": {
          type: "object",
          required: ["name", "channelId", "filename"],
          properties: { ...fields, filename: filename.documented }
        }
      },
      answers: {
        200: { description: "The file was there already", headers: ["Location"] },
        201: { description: "Send the bytes to the address in `Location`", headers: ["Location"] }
      },
      problems: problems(400, 403, tooLarge, 415, 507)
    }),
    HttpApiEndpoint.put("uploadResumable", "/api/v1/videos/upload-resumable", {
      query: { upload_id: uploadId },
      headers: chunkHeaders
    }).annotate(Docs, {
      summary: "Send a chunk, or ask how much has arrived",
      auth: "required",
      body: { "application/octet-stream": binary },
      answers: {
        200: uploaded,
        308: { description: "More is to come; `Range` says what has arrived", headers: ["Range"] }
      },
      problems: problems(400, 403, 404, 409, tooLarge, 422, 507)
    }),
    HttpApiEndpoint.delete("uploadResumableCancel", "/api/v1/videos/upload-resumable", {
      query: { upload_id: uploadId },
      headers: cancellingHeaders
    }).annotate(Docs, {
      summary: "Cancel a resumable upload",
      auth: "required",
      answers: { 204: { description: "Cancelled; nothing is left of it" } },
      problems: problems(400, 403, 404)
    })
  )
  .annotate(OpenApi.Title, "Video") {}
