import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { FeedOwners, type FeedSubscriber } from "@kinora/storage/social/feed/FeedOwners"
import { Context, Effect, Layer, Option } from "effect"
import { FeedTokens } from "../../people/session/FeedTokens.ts"

/** Opens the feeds of subscriptions, which only the token of their user opens. */
export class FeedSubscriptions extends Context.Service<
  FeedSubscriptions,
  {
    /** The user of an account, if the token is theirs. */
    readonly open: (accountId: number, token: string) => Effect.Effect<FeedSubscriber, Forbidden | DatabaseUnavailable>
  }
>()("@kinora/node/social/feed/FeedSubscriptions") {
  static readonly layer = Layer.effect(
    FeedSubscriptions,
    Effect.gen(function* () {
      const owners = yield* FeedOwners
      const tokens = yield* FeedTokens
      const open = Effect.fnUntraced(function* (accountId: number, token: string) {
        const userId = yield* tokens.userOf(token)
        const subscriber = Option.isNone(userId)
          ? Option.none<FeedSubscriber>()
          : yield* owners.subscriber(userId.value)
        if (Option.isNone(subscriber) || subscriber.value.accountId !== accountId) {
          return yield* new Forbidden({ reason: "This is not the token of the account's feeds" })
        }
        return subscriber.value
      })
      return FeedSubscriptions.of({ open })
    })
  )
}
