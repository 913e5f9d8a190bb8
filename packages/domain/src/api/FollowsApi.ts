import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  FollowerHandle,
  HostOrHandle,
  NewFollowing,
  serverFollowersQuery,
  serverFollowingQuery
} from "../requests/FollowRequests.ts"
import { jsonOrForm } from "../requests/Payload.ts"
import { FollowList } from "../wire/Follow.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const followers = "/api/v1/server/followers"
const following = "/api/v1/server/following"
const one = { params: { handle: FollowerHandle }, success: HttpApiSchema.NoContent }
const right = "MANAGE_SERVER_FOLLOW"

/** Whom the instance follows as a whole, and who follows it. */
export class FollowsApi extends HttpApiGroup.make("follows", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getServerFollowers", followers, {
      query: serverFollowersQuery,
      success: FollowList
    }).annotate(Docs, { summary: "List the followers of the instance", problems: problems(400) }),
    HttpApiEndpoint.delete("deleteServerFollowersByHandle", `${followers}/:handle`, one)
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Remove a follower, who may ask again", right, problems: problems(400, 403, 404) }),
    HttpApiEndpoint.post("postServerFollowersReject", `${followers}/:handle/reject`, one)
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Refuse a follower, also when it asks again",
        right,
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.post("postServerFollowersAccept", `${followers}/:handle/accept`, one)
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Let a follower in", right, problems: problems(400, 403, 404) }),
    HttpApiEndpoint.get("getServerFollowing", following, {
      query: serverFollowingQuery,
      success: FollowList
    }).annotate(Docs, { summary: "List what the instance follows", problems: problems(400) }),
    HttpApiEndpoint.post("postServerFollowing", following, {
      payload: jsonOrForm(NewFollowing),
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Follow instances, accounts and channels: looked up and asked in the background",
        right,
        problems: problems(400, 403)
      }),
    HttpApiEndpoint.delete("deleteServerFollowingByHostOrHandle", `${following}/:hostOrHandle`, {
      params: { hostOrHandle: HostOrHandle },
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Follow something no longer", right, problems: problems(400, 403, 404) })
  )
  .annotate(OpenApi.Title, "Instance Follows") {}
