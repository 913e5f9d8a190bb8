import { constraints } from "@kinora/domain/enums/Constraints"
import type { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { ListSubscriptionNotFound, ListSubscriptionRefused } from "@kinora/domain/errors/SubscriptionErrors"
import type { WatchedWordsSubscription } from "@kinora/domain/wire/WatchedWords"
import { FetchGuard } from "@kinora/federation/fetch/FetchGuard"
import { WordSubscriptionRows } from "@kinora/storage/people/words/WordSubscriptionRows"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { checkListAddress } from "../list/ListAddress.ts"
import { InstanceActs } from "../moderation/InstanceActs.ts"
import type { Watcher } from "./Watchers.ts"

const { instance, perAccount } = constraints.listSubscription
const domain = "watched-words-subscription"

/** Subscriptions to words that others publish. */
export class WordSubscriptions extends Context.Service<
  WordSubscriptions,
  {
    /** It is fetched soon after. */
    readonly add: (
      watcher: Watcher,
      url: string
    ) => Effect.Effect<WatchedWordsSubscription, InvalidParameters | ListSubscriptionRefused | DatabaseUnavailable>
    /** The words go with it. */
    readonly remove: (
      watcher: Watcher,
      id: number
    ) => Effect.Effect<void, ListSubscriptionNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/people/words/WordSubscriptions") {
  static readonly layer = Layer.effect(
    WordSubscriptions,
    Effect.gen(function* () {
      const rows = yield* WordSubscriptionRows
      const acts = yield* InstanceActs
      const guard = yield* FetchGuard
      const ownHost = new URL((yield* KinoraConfig).derived.origin).host

      const add = Effect.fn("WordSubscriptions.add")(function* ({ accountId, moderator }: Watcher, text: string) {
        const { host, href } = yield* checkListAddress(guard, ownHost, text)
        const max = moderator === undefined ? perAccount.max : instance.max
        const added = rows.add(accountId, { url: href, name: host, max }).pipe(
          Effect.catchTags({
            AlreadySubscribed: () =>
              Effect.fail(new ListSubscriptionRefused({ reason: "This list is subscribed to already" })),
            TooManySubscriptions: () =>
              Effect.fail(new ListSubscriptionRefused({ reason: `There can be no more than ${max} subscriptions` }))
          })
        )
        return yield* acts.act(
          moderator,
          ({ id, url }) => ({ domain, action: "create", target: { subscriptionId: id, url } }),
          added
        )
      })

      const remove = Effect.fn("WordSubscriptions.remove")(function* ({ accountId, moderator }: Watcher, id: number) {
        const removed = Effect.flatMap(rows.remove(accountId, id), (url) =>
          url === undefined ? Effect.fail(new ListSubscriptionNotFound()) : Effect.succeed(url)
        )
        yield* acts.act(
          moderator,
          (url) => ({ domain, action: "delete", target: { subscriptionId: id, url } }),
          removed
        )
      })

      return WordSubscriptions.of({ add, remove })
    })
  )
}
