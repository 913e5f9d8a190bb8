import { toListPage } from "@kinora/domain/requests/ActorListQueries"
import { toWatchedWordsListPage } from "@kinora/domain/requests/WatchedWordRequests"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { WatchedWordLists } from "@kinora/storage/people/words/WatchedWordLists"
import { WordSubscriptionLists } from "@kinora/storage/people/words/WordSubscriptionLists"
import { Effect } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { WatchedWords } from "./WatchedWords.ts"
import { Watchers } from "./Watchers.ts"
import { WordSubscriptions } from "./WordSubscriptions.ts"

/** Words that accounts and the instance watch for. */
export const layer = apiGroup(
  "watchedWords",
  Effect.fnUntraced(function* (handlers) {
    const { account, instance } = yield* Watchers
    const ours = Effect.flatMap(CurrentUser, instance)
    const lists = yield* WatchedWordLists
    const words = yield* WatchedWords
    const subscriptionLists = yield* WordSubscriptionLists
    const subscriptions = yield* WordSubscriptions

    return handlers.handleAll({
      getWatchedWordsAccountsLists: ({ params, query }) =>
        answer(
          Effect.flatMap(account(params.accountName), ({ accountId }) =>
            lists.of(accountId, toWatchedWordsListPage(query))
          )
        ),
      postWatchedWordsAccountsLists: ({ params, payload }) =>
        answer(
          Effect.flatMap(account(params.accountName), (watcher) =>
            Effect.map(words.add(watcher, payload), (id) => ({ watchedWordsList: { id } }))
          )
        ),
      putWatchedWordsAccountsListsByListId: ({ params, payload }) =>
        answer(Effect.flatMap(account(params.accountName), (watcher) => words.update(watcher, params.listId, payload))),
      deleteWatchedWordsAccountsListsByListId: ({ params }) =>
        answer(Effect.flatMap(account(params.accountName), (watcher) => words.remove(watcher, params.listId))),
      getWatchedWordsServerLists: ({ query }) =>
        answer(Effect.flatMap(ours, ({ accountId }) => lists.of(accountId, toWatchedWordsListPage(query)))),
      postWatchedWordsServerLists: ({ payload }) =>
        answer(
          Effect.flatMap(ours, (watcher) =>
            Effect.map(words.add(watcher, payload), (id) => ({ watchedWordsList: { id } }))
          )
        ),
      putWatchedWordsServerListsByListId: ({ params, payload }) =>
        answer(Effect.flatMap(ours, (watcher) => words.update(watcher, params.listId, payload))),
      deleteWatchedWordsServerListsByListId: ({ params }) =>
        answer(Effect.flatMap(ours, (watcher) => words.remove(watcher, params.listId))),
      listAccountWatchedWordsSubscriptions: ({ params, query }) =>
        answer(
          Effect.flatMap(account(params.accountName), ({ accountId }) =>
            subscriptionLists.of(accountId, toListPage(query))
          )
        ),
      addAccountWatchedWordsSubscription: ({ params, payload }) =>
        answer(Effect.flatMap(account(params.accountName), (watcher) => subscriptions.add(watcher, payload.url))),
      deleteAccountWatchedWordsSubscription: ({ params }) =>
        answer(Effect.flatMap(account(params.accountName), (watcher) => subscriptions.remove(watcher, params.id))),
      listServerWatchedWordsSubscriptions: ({ query }) =>
        answer(Effect.flatMap(ours, ({ accountId }) => subscriptionLists.of(accountId, toListPage(query)))),
      addServerWatchedWordsSubscription: ({ payload }) =>
        answer(Effect.flatMap(ours, (watcher) => subscriptions.add(watcher, payload.url))),
      deleteServerWatchedWordsSubscription: ({ params }) =>
        answer(Effect.flatMap(ours, (watcher) => subscriptions.remove(watcher, params.id)))
    } satisfies Answers<"watchedWords">)
  })
)
