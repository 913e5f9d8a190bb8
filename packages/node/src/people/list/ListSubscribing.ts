import type { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { ListSubscriptionNotFound, ListSubscriptionRefused } from "@kinora/domain/errors/SubscriptionErrors"
import { FetchGuard } from "@kinora/federation/fetch/FetchGuard"
import type {
  AlreadySubscribed,
  NewSubscription,
  TooManySubscriptions
} from "@kinora/storage/people/list/SubscriptionRows"
import { Effect } from "effect"
import { type Asker, AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { checkListAddress } from "./ListAddress.ts"

/** What comes of a new subscription: it, or why not. */
export type Subscribing<A> = Effect.Effect<A, InvalidParameters | ListSubscriptionRefused | DatabaseUnavailable>

/** What comes of the end of one. */
export type Unsubscribing = Effect.Effect<void, ListSubscriptionNotFound | DatabaseUnavailable>

/**
 * Subscribing to lists that others publish, and ending it, with entries of `domain` in the audit log where a moderator does it for the
 * instance.
 */
export const makeListSubscribing = Effect.fnUntraced(function* (domain: string) {
  const audit = yield* AuditTrail
  const guard = yield* FetchGuard
  const ownHost = new URL((yield* KinoraConfig).derived.origin).host

  /** `max`: of subscriptions. The list is named for its host until it says its own name. */
  const add = Effect.fnUntraced(function* <A extends { readonly id: number; readonly url: string }>(
    moderator: Asker | undefined,
    address: string,
    max: number,
    write: (
      subscription: NewSubscription
    ) => Effect.Effect<A, AlreadySubscribed | TooManySubscriptions | DatabaseUnavailable>
  ) {
    const { host, href } = yield* checkListAddress(guard, ownHost, address)
    const added = write({ url: href, name: host, max }).pipe(
      Effect.catchTags({
        AlreadySubscribed: () =>
          Effect.fail(new ListSubscriptionRefused({ reason: "This list is subscribed to already" })),
        TooManySubscriptions: () =>
          Effect.fail(new ListSubscriptionRefused({ reason: `There can be no more than ${max} subscriptions` }))
      })
    )
    return yield* audit.actFor(
      moderator,
      ({ id, url }) => ({ domain, action: "create", target: { subscriptionId: id, url } }),
      added
    )
  })

  /** `removal` gives the address of the list, or undefined where there is no such subscription. */
  const remove = Effect.fnUntraced(function* (
    moderator: Asker | undefined,
    id: number,
    removal: Effect.Effect<string | undefined, DatabaseUnavailable>
  ) {
    const removed = Effect.flatMap(removal, (url) =>
      url === undefined ? Effect.fail(new ListSubscriptionNotFound()) : Effect.succeed(url)
    )
    yield* audit.actFor(
      moderator,
      (url) => ({ domain, action: "delete", target: { subscriptionId: id, url } }),
      removed
    )
  })

  return { add, remove }
})
