import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { archivesParams } from "../requests/ArchiveRequests.ts"
import { UserImport } from "../wire/UserArchive.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

/** What became of an archive a user brought. Archives are sent by `UserImportRoutes`. */
export class UserImportsApi extends HttpApiGroup.make("userImports", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getLatestUserImport", "/api/v1/users/:userId/imports/latest", {
      params: archivesParams,
      success: UserImport
    }).annotate(Docs, { summary: "Get the last import of a user", problems: problems(400, 403, 404) })
  )
  .middleware(Authenticated)
  .annotate(OpenApi.Title, "User Imports") {}
