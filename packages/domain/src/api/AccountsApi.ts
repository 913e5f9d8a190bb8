import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AccountHandle } from "../ids/ActorHandle.ts"
import { videoListQuery } from "../requests/VideoListQuery.ts"
import { Account } from "../wire/Account.ts"
import { VideoList } from "../wire/Video.ts"
import { MaybeAuthenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const params = { name: AccountHandle }

/** Accounts as everybody sees them. */
export class AccountsApi extends HttpApiGroup.make("accounts", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getAccount", "/api/v1/accounts/:name", { params, success: Account }).annotate(Docs, {
      summary: "One account",
      problems: problems(400, 404)
    }),
    HttpApiEndpoint.get("getAccountVideos", "/api/v1/accounts/:name/videos", {
      params,
      query: videoListQuery,
      success: VideoList
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "List the videos of an account", problems: problems(400, 404) })
  )
  .annotate(OpenApi.Title, "Accounts") {}
