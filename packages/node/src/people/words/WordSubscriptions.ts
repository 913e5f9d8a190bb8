import { constraints } from "@kinora/domain/enums/Constraints"
import type { WatchedWordsSubscription } from "@kinora/domain/wire/WatchedWords"
import { WordSubscriptionRows } from "@kinora/storage/people/words/WordSubscriptionRows"
import { Context, Effect, Layer } from "effect"
import { makeListSubscribing, type Subscribing, type Unsubscribing } from "../list/ListSubscribing.ts"
import type { Watcher } from "./Watchers.ts"

const { instance, perAccount } = constraints.listSubscription

/** Subscriptions to words that others publish. */
export class WordSubscriptions extends Context.Service<
  WordSubscriptions,
  {
    /** It is fetched soon after. */
    readonly add: (watcher: Watcher, url: string) => Subscribing<WatchedWordsSubscription>
    /** The words go with it. */
    readonly remove: (watcher: Watcher, id: number) => Unsubscribing
  }
>()("@kinora/node/people/words/WordSubscriptions") {
  static readonly layer = Layer.effect(
    WordSubscriptions,
    Effect.gen(function* () {
      const rows = yield* WordSubscriptionRows
      const subscribing = yield* makeListSubscribing("watched-words-subscription")

      return WordSubscriptions.of({
        add: Effect.fn("WordSubscriptions.add")(({ accountId, moderator }, url) => {
          const { max } = moderator === undefined ? perAccount : instance
          return subscribing.add(moderator, url, max, (subscription) => rows.add(accountId, subscription))
        }),
        remove: Effect.fn("WordSubscriptions.remove")(({ accountId, moderator }, id) =>
          subscribing.remove(moderator, id, rows.remove(accountId, id))
        )
      })
    })
  )
}
