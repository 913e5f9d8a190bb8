import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { removeCommentsOf } from "../requests/CommentRequests.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

/** Much at once. */
export class BulkApi extends HttpApiGroup.make("bulk", { topLevel: true })
  .add(
    HttpApiEndpoint.post("bulkRemoveCommentsOf", "/api/v1/bulk/remove-comments-of", {
      payload: removeCommentsOf,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Delete the comments of an account: on the user's videos, or all of them",
        rightOverOthers: "MANAGE_ANY_VIDEO_COMMENT",
        problems: problems(400, 403, 404)
      })
  )
  .annotate(OpenApi.Title, "Bulk") {}
