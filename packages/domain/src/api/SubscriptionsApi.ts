import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { videoListQuery } from "../requests/VideoListQuery.ts"
import { VideoList } from "../wire/Video.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const subscriptions = "/api/v1/users/me/subscriptions"

/** Channels the user who asks follows. */
export class SubscriptionsApi extends HttpApiGroup.make("subscriptions", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getUsersMeSubscriptionsVideos", `${subscriptions}/videos`, {
      query: videoListQuery,
      success: VideoList
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the videos of the channels the user follows", problems: problems(400, 403) })
  )
  .annotate(OpenApi.Title, "My Subscriptions") {}
