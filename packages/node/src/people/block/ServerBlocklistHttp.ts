import { toListPage } from "@kinora/domain/requests/ActorListQueries"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { BlockLists } from "@kinora/storage/people/block/BlockLists"
import { BlocklistSubscriptionLists } from "@kinora/storage/people/block/BlocklistSubscriptionLists"
import { Effect } from "effect"
import { answer, type Answers, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { BlocklistSubscriptions } from "./BlocklistSubscriptions.ts"
import { InstanceBlocks } from "./InstanceBlocks.ts"

const pageOf = (query: Parameters<typeof toListPage<"createdAt">>[0] & { readonly subscriptionName?: string }) => ({
  ...toListPage(query),
  subscriptionName: query.subscriptionName
})

/** What this instance mutes for everybody. */
export const layer = apiGroup(
  "serverBlocklist",
  Effect.fnUntraced(function* (handlers) {
    const blocks = yield* InstanceBlocks
    const lists = yield* BlockLists
    const subscriptionLists = yield* BlocklistSubscriptionLists
    const subscriptions = yield* BlocklistSubscriptions

    return handlers.handleAll({
      getServerBlocklistAccounts: ({ query }) =>
        answer(Effect.map(lists.accounts("instance", pageOf(query)), (text) => jsonText(text))),
      postServerBlocklistAccounts: ({ payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => blocks.blockAccount(user, payload.accountName))),
      deleteServerBlocklistAccountsByAccountName: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => blocks.unblockAccount(user, params.accountName))),
      getServerBlocklistServers: ({ query }) =>
        answer(Effect.map(lists.servers("instance", pageOf(query)), (text) => jsonText(text))),
      postServerBlocklistServers: ({ payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => blocks.blockServer(user, payload.host))),
      deleteServerBlocklistServersByHost: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => blocks.unblockServer(user, params.host))),
      listServerBlocklistSubscriptions: ({ query }) => answer(subscriptionLists.all(toListPage(query))),
      addServerBlocklistSubscription: ({ payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => subscriptions.add(user, payload.url))),
      deleteServerBlocklistSubscription: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => subscriptions.remove(user, params.id))),
      listPublicBlocklistLog: ({ query }) => answer(subscriptions.publicLog(query.startDate))
    } satisfies Answers<"serverBlocklist">)
  })
)
