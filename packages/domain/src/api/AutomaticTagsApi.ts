import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AccountHandle } from "../ids/ActorHandle.ts"
import { commentAutoTagPolicies, videoAutoTagPolicies } from "../requests/AutomaticTagRequests.ts"
import { AutomaticTagAvailable, CommentAutoTagPolicies, VideoAutoTagPolicies } from "../wire/AutomaticTags.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const root = "/api/v1/automatic-tags"
const comments = `${root}/policies/accounts/:accountName/comments`
const videos = `${root}/policies/server/videos`
const right = "MANAGE_INSTANCE_AUTO_TAGS"
const params = { accountName: AccountHandle }
const success = HttpApiSchema.NoContent

/** What becomes of comments and videos that were tagged for their words and links. */
export class AutomaticTagsApi extends HttpApiGroup.make("automaticTags", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getAutomaticTagsPoliciesAccountsComments", comments, {
      params,
      success: CommentAutoTagPolicies
    }).annotate(Docs, {
      summary: "Get the tags whose comments wait for review below the account's videos",
      problems: problems(400, 403, 404)
    }),
    HttpApiEndpoint.put("putAutomaticTagsPoliciesAccountsComments", comments, {
      params,
      payload: commentAutoTagPolicies,
      success
    }).annotate(Docs, {
      summary: "Choose the tags whose comments wait for review: those that are written or changed from now on",
      problems: problems(400, 403, 404)
    }),
    HttpApiEndpoint.get("getAutomaticTagsAccountsAvailable", `${root}/accounts/:accountName/available`, {
      params,
      success: AutomaticTagAvailable
    }).annotate(Docs, {
      summary: "List the automatic tags that the account can choose from",
      problems: problems(400, 403, 404)
    }),
    HttpApiEndpoint.get("getAutomaticTagsServerAvailable", `${root}/server/available`, {
      success: AutomaticTagAvailable
    }).annotate(Docs, {
      summary: "List the automatic tags that the instance can choose from",
      right,
      problems: problems(403)
    }),
    HttpApiEndpoint.get("getServerVideoAutoTagPolicies", videos, { success: VideoAutoTagPolicies }).annotate(Docs, {
      summary: "Get the tags whose videos are blocked",
      right,
      problems: problems(403)
    }),
    HttpApiEndpoint.put("updateServerVideoAutoTagPolicies", videos, {
      payload: videoAutoTagPolicies,
      success
    }).annotate(Docs, {
      summary: "Choose the tags whose videos are blocked: those that are published or changed from now on",
      right,
      problems: problems(400, 403)
    })
  )
  .middleware(Authenticated)
  .annotate(OpenApi.Title, "Automatic Tags") {}
