import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { importFields, ImportId } from "../requests/ImportRequests.ts"
import { videoFields } from "../requests/VideoFields.ts"
import { VideoImport } from "../wire/MyUserAnswers.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const imports = "/api/v1/videos/imports"
const params = { id: ImportId }
const binary = { type: "string", format: "binary" } as const

const { filename: _filename, ...described } = videoFields
const fields = Object.fromEntries(
  Object.entries({ ...importFields, ...described }).map(([name, { documented }]) => [name, documented])
)
const required = ["channelId"]

/** Videos fetched from elsewhere. The body that asks for one is read by hand: it brings pictures and a torrent. */
export class VideoImportsApi extends HttpApiGroup.make("videoImports", { topLevel: true })
  .add(
    HttpApiEndpoint.post("importVideo", imports, { success: VideoImport }).annotate(Docs, {
      summary: "Import a video from an address, a magnet link or a torrent",
      body: {
        "multipart/form-data": {
          type: "object",
          required,
          properties: {
            ...fields,
            torrentfile: binary,
            thumbnailfile: binary,
            previewfile: { ...binary, deprecated: true }
          }
        },
        "application/json": { type: "object", required, properties: fields }
      },
      problems: problems([400, "incorrect_files_in_torrent"], 403, 408, 409, [413, "quota_reached"], 415, 429, 507)
    }),
    HttpApiEndpoint.post("postVideosImportsCancel", `${imports}/:id/cancel`, {
      params,
      success: HttpApiSchema.NoContent
    }).annotate(Docs, {
      summary: "Cancel an import that waits or runs",
      rightOverOthers: "MANAGE_VIDEO_IMPORTS",
      problems: problems(400, 403, 404, 409)
    }),
    HttpApiEndpoint.post("postVideosImportsRetry", `${imports}/:id/retry`, {
      params,
      success: HttpApiSchema.NoContent
    }).annotate(Docs, {
      summary: "Retry a failed import",
      rightOverOthers: "MANAGE_VIDEO_IMPORTS",
      problems: problems(400, 403, 404, 409, [413, "quota_reached"])
    }),
    HttpApiEndpoint.delete("deleteVideosImportsById", `${imports}/:id`, {
      params,
      success: HttpApiSchema.NoContent
    }).annotate(Docs, {
      summary: "Delete a finished import; its video stays",
      rightOverOthers: "MANAGE_VIDEO_IMPORTS",
      problems: problems(400, 403, 404, 409)
    })
  )
  .middleware(Authenticated)
  .annotate(OpenApi.Title, "Video Imports") {}
