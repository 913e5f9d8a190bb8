import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AccountHandle } from "../ids/ActorHandle.ts"
import {
  ListSubscriptionId,
  listSubscriptionsQuery,
  newListSubscription
} from "../requests/ListSubscriptionRequests.ts"
import {
  newWatchedWordsList,
  WatchedWordsListId,
  watchedWordsListsQuery,
  watchedWordsListUpdate
} from "../requests/WatchedWordRequests.ts"
import {
  CreatedWatchedWordsList,
  WatchedWordsListPage,
  WatchedWordsSubscription,
  WatchedWordsSubscriptionList
} from "../wire/WatchedWords.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const account = "/api/v1/watched-words/accounts/:accountName"
const server = "/api/v1/watched-words/server"
const right = "MANAGE_INSTANCE_WATCHED_WORDS"
const success = HttpApiSchema.NoContent
const accountName = AccountHandle
const listId = WatchedWordsListId
const id = ListSubscriptionId

/** Words that accounts watch for below their videos, and moderators everywhere. */
export class WatchedWordsApi extends HttpApiGroup.make("watchedWords", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getWatchedWordsAccountsLists", `${account}/lists`, {
      params: { accountName },
      query: watchedWordsListsQuery,
      success: WatchedWordsListPage
    }).annotate(Docs, {
      summary: "List the words the account watches for",
      problems: problems(400, 403, 404)
    }),
    HttpApiEndpoint.post("postWatchedWordsAccountsLists", `${account}/lists`, {
      params: { accountName },
      payload: newWatchedWordsList,
      success: CreatedWatchedWordsList
    }).annotate(Docs, {
      summary: "Add a list of words to watch for. Comments that have one are tagged with its name",
      problems: problems(400, 403, 404, 409)
    }),
    HttpApiEndpoint.put("putWatchedWordsAccountsListsByListId", `${account}/lists/:listId`, {
      params: { accountName, listId },
      payload: watchedWordsListUpdate,
      success
    }).annotate(Docs, {
      summary: "Change a list of watched words, but none of a subscription",
      problems: problems(400, 403, 404, 409)
    }),
    HttpApiEndpoint.delete("deleteWatchedWordsAccountsListsByListId", `${account}/lists/:listId`, {
      params: { accountName, listId },
      success
    }).annotate(Docs, {
      summary: "Delete a list of watched words, but none of a subscription",
      problems: problems(400, 403, 404, 409)
    }),
    HttpApiEndpoint.get("getWatchedWordsServerLists", `${server}/lists`, {
      query: watchedWordsListsQuery,
      success: WatchedWordsListPage
    }).annotate(Docs, { summary: "List the words the instance watches for", right, problems: problems(400, 403) }),
    HttpApiEndpoint.post("postWatchedWordsServerLists", `${server}/lists`, {
      payload: newWatchedWordsList,
      success: CreatedWatchedWordsList
    }).annotate(Docs, {
      summary: "Add a list of words the instance watches for, in comments and in videos of its users",
      right,
      problems: problems(400, 403, 409)
    }),
    HttpApiEndpoint.put("putWatchedWordsServerListsByListId", `${server}/lists/:listId`, {
      params: { listId },
      payload: watchedWordsListUpdate,
      success
    }).annotate(Docs, {
      summary: "Change a list of words the instance watches for",
      right,
      problems: problems(400, 403, 404, 409)
    }),
    HttpApiEndpoint.delete("deleteWatchedWordsServerListsByListId", `${server}/lists/:listId`, {
      params: { listId },
      success
    }).annotate(Docs, {
      summary: "Delete a list of words the instance watches for",
      right,
      problems: problems(400, 403, 404, 409)
    }),
    HttpApiEndpoint.get("listAccountWatchedWordsSubscriptions", `${account}/subscriptions`, {
      params: { accountName },
      query: listSubscriptionsQuery,
      success: WatchedWordsSubscriptionList
    }).annotate(Docs, {
      summary: "List the account's subscriptions to words that others publish",
      problems: problems(400, 403, 404)
    }),
    HttpApiEndpoint.post("addAccountWatchedWordsSubscription", `${account}/subscriptions`, {
      params: { accountName },
      payload: newListSubscription,
      success: WatchedWordsSubscription
    }).annotate(Docs, {
      summary: "Subscribe to a list of words that others publish; it is fetched soon, and regularly",
      problems: problems(400, 403, 404, 409)
    }),
    HttpApiEndpoint.delete("deleteAccountWatchedWordsSubscription", `${account}/subscriptions/:id`, {
      params: { accountName, id },
      success
    }).annotate(Docs, {
      summary: "End a subscription, with the words that came by it",
      problems: problems(400, 403, 404)
    }),
    HttpApiEndpoint.get("listServerWatchedWordsSubscriptions", `${server}/subscriptions`, {
      query: listSubscriptionsQuery,
      success: WatchedWordsSubscriptionList
    }).annotate(Docs, {
      summary: "List the instance's subscriptions to words that others publish",
      right,
      problems: problems(400, 403)
    }),
    HttpApiEndpoint.post("addServerWatchedWordsSubscription", `${server}/subscriptions`, {
      payload: newListSubscription,
      success: WatchedWordsSubscription
    }).annotate(Docs, {
      summary: "Subscribe the instance to a list of words that others publish",
      right,
      problems: problems(400, 403, 409)
    }),
    HttpApiEndpoint.delete("deleteServerWatchedWordsSubscription", `${server}/subscriptions/:id`, {
      params: { id },
      success
    }).annotate(Docs, {
      summary: "End a subscription of the instance, with the words that came by it",
      right,
      problems: problems(400, 403, 404)
    })
  )
  .middleware(Authenticated)
  .annotate(OpenApi.Title, "Watched Words") {}
