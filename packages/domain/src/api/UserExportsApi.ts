import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { archivesParams, userExportParams, UserExportRequest } from "../requests/ArchiveRequests.ts"
import { jsonOrForm } from "../requests/Payload.ts"
import { UserExportList, UserExportRequestResult } from "../wire/UserArchive.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const exports = "/api/v1/users/:userId/exports"

/** Archives of what users have here (specification row 35): for the user, and for who manages them. */
export class UserExportsApi extends HttpApiGroup.make("userExports", { topLevel: true })
  .add(
    HttpApiEndpoint.post("requestUserExport", `${exports}/request`, {
      params: archivesParams,
      payload: jsonOrForm(UserExportRequest),
      success: UserExportRequestResult
    }).annotate(Docs, {
      summary: "Request an archive of a user's data; an email says when it is ready",
      rightOverOthers: "MANAGE_USER_EXPORTS",
      problems: problems(400, [403, "max_user_video_quota_exceeded_for_user_export"], 404, 409)
    }),
    HttpApiEndpoint.get("listUserExports", exports, {
      params: archivesParams,
      success: UserExportList
    }).annotate(Docs, {
      summary: "List the archives of a user, each with a link valid for 15 minutes",
      problems: problems(400, 403, 404)
    }),
    HttpApiEndpoint.delete("deleteUserExport", `${exports}/:id`, {
      params: userExportParams,
      success: HttpApiSchema.NoContent
    }).annotate(Docs, {
      summary: "Remove an archive, ready or not",
      rightOverOthers: "MANAGE_USER_EXPORTS",
      problems: problems(400, 403, 404)
    })
  )
  .middleware(Authenticated)
  .annotate(OpenApi.Title, "User Exports") {}
