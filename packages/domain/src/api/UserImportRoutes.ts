import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { archivesParams } from "../requests/ArchiveRequests.ts"
import { announcingHeaders, cancellingHeaders, chunkHeaders, uploadId } from "../requests/ResumableHeaders.ts"
import { videoFields } from "../requests/VideoFields.ts"
import { Docs, problems } from "./Documentation.ts"

const path = "/api/v1/users/:userId/imports/import-resumable"
const params = archivesParams

/** Sending the archive of an import as a resumable upload: raw routes, since their bodies are streamed to disk. */
export class UserImportRoutes extends HttpApiGroup.make("userImportUploads", { topLevel: true })
  .add(
    HttpApiEndpoint.post("userImportResumableInit", path, { params, headers: announcingHeaders }).annotate(Docs, {
      summary: "Begin to send an archive",
      rightOverOthers: "MANAGE_USER_IMPORTS",
      auth: "required",
      body: {
        "application/json": { type: "object", properties: { filename: videoFields.filename.documented } }
      },
      answers: {
        200: { description: "The file was there already", headers: ["Location"] },
        201: { description: "Send the bytes to the address in `Location`", headers: ["Location"] }
      },
      problems: problems(400, 403, 404, 409, [413, "quota_reached"], 429, 507)
    }),
    HttpApiEndpoint.put("userImportResumable", path, {
      params,
      query: { upload_id: uploadId },
      headers: chunkHeaders
    }).annotate(Docs, {
      summary: "Send a chunk of the archive, or ask how much has arrived",
      rightOverOthers: "MANAGE_USER_IMPORTS",
      auth: "required",
      body: { "application/octet-stream": { type: "string", format: "binary" } },
      answers: {
        200: {
          description: "The archive is there and its import has begun",
          content: "application/json",
          schema: {
            type: "object",
            required: ["userImport"],
            properties: {
              userImport: { type: "object", required: ["id"], properties: { id: { type: "integer" } } }
            }
          }
        },
        308: { description: "More is to come; `Range` says what has arrived", headers: ["Range"] }
      },
      problems: problems(400, 403, 404, 408, 409, 503, 507)
    }),
    HttpApiEndpoint.get("userImportResumableStatus", path, { params }).annotate(Docs, {
      summary: "Get how much of an archive has arrived; `upload_id` names the upload",
      auth: "required",
      answers: { 308: { description: "`Range` says what has arrived", headers: ["Range"] } },
      problems: problems(400, 403, 404)
    }),
    HttpApiEndpoint.delete("userImportResumableCancel", path, {
      params,
      query: { upload_id: uploadId },
      headers: cancellingHeaders
    }).annotate(Docs, {
      summary: "Cancel sending an archive",
      rightOverOthers: "MANAGE_USER_IMPORTS",
      auth: "required",
      answers: { 204: { description: "Cancelled; nothing is left of it" } },
      problems: problems(400, 403, 404)
    })
  )
  .annotate(OpenApi.Title, "User Imports") {}
