import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  newSubscriptionGroup,
  SubscriptionGroupId,
  subscriptionGroupUpdate
} from "../requests/SubscriptionGroupRequests.ts"
import { SubscriptionGroupCreated, SubscriptionGroupList } from "../wire/SubscriptionGroup.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const groups = "/api/v1/users/me/subscription-groups"
const tag = "My Subscriptions"
const one = { params: { groupId: SubscriptionGroupId } }
const success = HttpApiSchema.NoContent

/** Groups in which the user who asks sorts the channels they follow: of our own. */
export class SubscriptionGroupsApi extends HttpApiGroup.make("subscriptionGroups", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getUsersMeSubscriptionGroups", groups, { success: SubscriptionGroupList })
      .middleware(Authenticated)
      .annotate(Docs, { tag, summary: "List the user's groups of subscriptions, all of them, by name" }),
    HttpApiEndpoint.post("postUsersMeSubscriptionGroups", groups, {
      payload: newSubscriptionGroup,
      success: SubscriptionGroupCreated
    })
      .middleware(Authenticated)
      .annotate(Docs, { tag, summary: "Create a group of subscriptions", problems: problems(400, 409) }),
    HttpApiEndpoint.put("putUsersMeSubscriptionGroupsByGroupId", `${groups}/:groupId`, {
      ...one,
      payload: subscriptionGroupUpdate,
      success
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag,
        summary: "Rename a group of subscriptions, or change what is in it",
        problems: problems(400, 404, 409)
      }),
    HttpApiEndpoint.delete("deleteUsersMeSubscriptionGroupsByGroupId", `${groups}/:groupId`, { ...one, success })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag,
        summary: "Delete a group of subscriptions; the user goes on following what was in it",
        problems: problems(400, 404)
      })
  )
  .annotate(OpenApi.Title, "My Subscription Groups") {}
