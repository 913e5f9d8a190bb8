import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AccountHandle } from "../ids/ActorHandle.ts"
import { accountListQuery, followerListQuery, ratingListQuery } from "../requests/ActorListQueries.ts"
import { videoListQuery } from "../requests/VideoListQuery.ts"
import { Account } from "../wire/Account.ts"
import { FollowList } from "../wire/Follow.ts"
import { Page } from "../wire/Scalars.ts"
import { VideoList } from "../wire/Video.ts"
import { VideoRating } from "../wire/VideoRating.ts"
import { Authenticated, MaybeAuthenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const account = "/api/v1/accounts/:name"
const params = { name: AccountHandle }
const AccountList = Page(Account)

/** Accounts as everybody sees them, and what only their people do. */
export class AccountsApi extends HttpApiGroup.make("accounts", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getAccounts", "/api/v1/accounts", { query: accountListQuery, success: AccountList })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, {
        summary: "List accounts; where the instance keeps the list to them, moderators alone may",
        problems: problems(400, 401, 403)
      }),
    HttpApiEndpoint.get("getAccount", account, { params, success: Account }).annotate(Docs, {
      summary: "Get an account",
      problems: problems(400, 404)
    }),
    HttpApiEndpoint.get("getAccountVideos", `${account}/videos`, { params, query: videoListQuery, success: VideoList })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "List the videos of an account", problems: problems(400, 403, 404) }),
    HttpApiEndpoint.get("getAccountFollowers", `${account}/followers`, {
      params,
      query: followerListQuery,
      success: FollowList
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "List the followers of an account and its channels",
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.get("getAccountFollowing", `${account}/following`, {
      params,
      query: accountListQuery,
      success: AccountList
    }).annotate(Docs, { summary: "List the actors an account follows", problems: problems(400, 404) }),
    HttpApiEndpoint.get("getAccountsRatings", `${account}/ratings`, {
      params,
      query: ratingListQuery,
      success: Schema.Array(VideoRating)
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "List the videos an account rated",
        problems: problems(400, 403, 404)
      })
  )
  .annotate(OpenApi.Title, "Accounts") {}
