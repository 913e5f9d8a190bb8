import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ChannelHandle } from "../ids/ActorHandle.ts"
import {
  newSubscription,
  subscriptionListQuery,
  subscriptionsExistQuery,
  subscriptionVideosQuery
} from "../requests/SubscriptionRequests.ts"
import { SubscribedChannelList } from "../wire/SubscribedChannel.ts"
import { VideoList } from "../wire/Video.ts"
import { VideoChannel } from "../wire/VideoChannel.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const subscriptions = "/api/v1/users/me/subscriptions"
const one = { params: { subscriptionHandle: ChannelHandle } }

/** Channels the user who asks follows. */
export class SubscriptionsApi extends HttpApiGroup.make("subscriptions", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getUsersMeSubscriptionsVideos", `${subscriptions}/videos`, {
      query: subscriptionVideosQuery,
      success: VideoList
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "List the videos of the channels the user follows",
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.get("getUsersMeSubscriptions", subscriptions, {
      query: subscriptionListQuery,
      success: SubscribedChannelList
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the channels the user follows", problems: problems(400, 404) }),
    HttpApiEndpoint.post("postUsersMeSubscriptions", subscriptions, {
      payload: newSubscription,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Subscribe to a channel", problems: problems(400, 404) }),
    HttpApiEndpoint.get("getUsersMeSubscriptionsExist", `${subscriptions}/exist`, {
      query: subscriptionsExistQuery,
      success: Schema.Record(Schema.String, Schema.Boolean)
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Check which channels the user follows", problems: problems(400) }),
    HttpApiEndpoint.get("getUsersMeSubscriptionsBySubscriptionHandle", `${subscriptions}/:subscriptionHandle`, {
      ...one,
      success: VideoChannel
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Get a subscription of the user", problems: problems(400, 404) }),
    HttpApiEndpoint.delete("deleteUsersMeSubscriptionsBySubscriptionHandle", `${subscriptions}/:subscriptionHandle`, {
      ...one,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Unsubscribe from a channel", problems: problems(400, 404) })
  )
  .annotate(OpenApi.Title, "My Subscriptions") {}
