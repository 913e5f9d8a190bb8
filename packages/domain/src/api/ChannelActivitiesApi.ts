import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ChannelHandle } from "../ids/ActorHandle.ts"
import { pageQuery } from "../requests/OwnershipRequests.ts"
import { ChannelActivityList } from "../wire/ChannelActivity.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

/** What was done in a channel, and by whom. */
export class ChannelActivitiesApi extends HttpApiGroup.make("channelActivities", { topLevel: true })
  .add(
    HttpApiEndpoint.get("listVideoChannelActivities", "/api/v1/video-channels/:channelHandle/activities", {
      params: { channelHandle: ChannelHandle },
      query: pageQuery,
      success: ChannelActivityList
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the activities of a channel", problems: problems(400, 403, 404) })
  )
  .annotate(OpenApi.Title, "Video Channels") {}
