import { Data } from "effect"

/** The list is subscribed to already. */
export class AlreadySubscribed extends Data.TaggedError("AlreadySubscribed")<{ readonly url: string }> {}

/** There are as many subscriptions as there may be. */
export class TooManySubscriptions extends Data.TaggedError("TooManySubscriptions")<{ readonly max: number }> {}

/** A new subscription. It is called by its host until it was fetched. */
export interface NewSubscription {
  readonly url: string
  readonly name: string
  readonly max: number
}
