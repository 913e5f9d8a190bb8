import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AccountHandle } from "../ids/ActorHandle.ts"
import {
  blockAccountBody,
  blocklistQuery,
  blockServerBody,
  blockStatusQuery,
  publicLogQuery,
  serverBlocklistQuery
} from "../requests/BlockRequests.ts"
import { ServerHost } from "../requests/FollowRequests.ts"
import {
  ListSubscriptionId,
  listSubscriptionsQuery,
  newListSubscription
} from "../requests/ListSubscriptionRequests.ts"
import { AccountBlockList, BlockStatus, ServerBlockList } from "../wire/Block.ts"
import { AutoMuteList, BlocklistSubscription, BlocklistSubscriptionList } from "../wire/BlocklistSubscription.ts"
import { Authenticated, MaybeAuthenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const my = "/api/v1/users/me/blocklist"
const server = "/api/v1/server/blocklist"
const success = HttpApiSchema.NoContent
const accounts = "MANAGE_ACCOUNTS_BLOCKLIST"
const servers = "MANAGE_SERVERS_BLOCKLIST"
const subscriptions = "MANAGE_SERVER_BLOCKLIST_SUBSCRIPTIONS"

/** Accounts and instances a user mutes, and who mutes what. */
export class MyBlocklistApi extends HttpApiGroup.make("myBlocklist", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getBlocklistStatus", "/api/v1/blocklist/status", {
      query: blockStatusQuery,
      success: BlockStatus
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, {
        summary: "Get whether accounts and instances are muted, by the user or by this instance",
        problems: problems(400)
      }),
    HttpApiEndpoint.get("getMyBlockedAccounts", `${my}/accounts`, { query: blocklistQuery, success: AccountBlockList })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the accounts the user mutes", problems: problems(400) }),
    HttpApiEndpoint.post("blockAccount", `${my}/accounts`, { payload: blockAccountBody, success })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Mute an account", problems: problems(400, 404, 409) }),
    HttpApiEndpoint.delete("unblockAccount", `${my}/accounts/:accountName`, {
      params: { accountName: AccountHandle },
      success
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Mute an account no longer", problems: problems(400, 404) }),
    HttpApiEndpoint.get("getMyBlockedServers", `${my}/servers`, { query: blocklistQuery, success: ServerBlockList })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the instances the user mutes", problems: problems(400) }),
    HttpApiEndpoint.post("blockServer", `${my}/servers`, { payload: blockServerBody, success })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Mute an instance", problems: problems(400, 409) }),
    HttpApiEndpoint.delete("unblockServer", `${my}/servers/:host`, { params: { host: ServerHost }, success })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Mute an instance no longer", problems: problems(400, 404) })
  )
  .annotate(OpenApi.Title, "Account Blocklist") {}

/** Accounts and instances this instance mutes for all its users. */
export class ServerBlocklistApi extends HttpApiGroup.make("serverBlocklist", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getServerBlocklistAccounts", `${server}/accounts`, {
      query: serverBlocklistQuery,
      success: AccountBlockList
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "List the accounts this instance mutes",
        right: accounts,
        problems: problems(400, 403)
      }),
    HttpApiEndpoint.post("postServerBlocklistAccounts", `${server}/accounts`, { payload: blockAccountBody, success })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Mute an account for everybody on this instance",
        right: accounts,
        problems: problems(400, 403, 404, 409)
      }),
    HttpApiEndpoint.delete("deleteServerBlocklistAccountsByAccountName", `${server}/accounts/:accountName`, {
      params: { accountName: AccountHandle },
      success
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Mute an account on this instance no longer",
        right: accounts,
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.get("getServerBlocklistServers", `${server}/servers`, {
      query: serverBlocklistQuery,
      success: ServerBlockList
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "List the instances this instance mutes",
        right: servers,
        problems: problems(400, 403)
      }),
    HttpApiEndpoint.post("postServerBlocklistServers", `${server}/servers`, { payload: blockServerBody, success })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Mute an instance for everybody on this one",
        right: servers,
        problems: problems(400, 403, 409)
      }),
    HttpApiEndpoint.delete("deleteServerBlocklistServersByHost", `${server}/servers/:host`, {
      params: { host: ServerHost },
      success
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Mute an instance on this one no longer",
        right: servers,
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.get("listServerBlocklistSubscriptions", `${server}/subscriptions`, {
      query: listSubscriptionsQuery,
      success: BlocklistSubscriptionList
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "List the block lists of others that this instance applies",
        right: subscriptions,
        problems: problems(400, 403)
      }),
    HttpApiEndpoint.post("addServerBlocklistSubscription", `${server}/subscriptions`, {
      payload: newListSubscription,
      success: BlocklistSubscription
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Subscribe to a block list of others; it is fetched and applied soon, and regularly",
        right: subscriptions,
        problems: problems(400, 403, 409)
      }),
    HttpApiEndpoint.delete("deleteServerBlocklistSubscription", `${server}/subscriptions/:id`, {
      params: { id: ListSubscriptionId },
      success
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "End a subscription: what is blocked because of it alone is blocked no longer",
        right: subscriptions,
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.get("listPublicBlocklistLog", `${server}/public-log`, {
      query: publicLogQuery,
      success: AutoMuteList
    }).annotate(Docs, {
      summary: "List what moderators blocked by hand since a time, for instances that subscribe to it",
      problems: problems(400, 403)
    })
  )
  .annotate(OpenApi.Title, "Server Blocklist") {}
