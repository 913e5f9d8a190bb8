import { constraints } from "@kinora/domain/enums/Constraints"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { ListSubscriptionNotFound, ListSubscriptionRefused } from "@kinora/domain/errors/SubscriptionErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { AutoMuteList, BlocklistSubscription } from "@kinora/domain/wire/BlocklistSubscription"
import { FetchGuard } from "@kinora/federation/fetch/FetchGuard"
import { BlocklistSubscriptionRows } from "@kinora/storage/people/block/BlocklistSubscriptionRows"
import { PublicBlockLog } from "@kinora/storage/people/block/PublicBlockLog"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { checkListAddress } from "../list/ListAddress.ts"
import { InstanceActs } from "../moderation/InstanceActs.ts"

const { max } = constraints.listSubscription.instance
const domain = "blocklist-subscription"

/** Actions of one answer (contract: public-log). */
const logPage = 500

/** Block lists of others that the instance applies, and what others may know of its own. */
export class BlocklistSubscriptions extends Context.Service<
  BlocklistSubscriptions,
  {
    /** It is fetched soon after. */
    readonly add: (
      by: CurrentUserShape,
      url: string
    ) => Effect.Effect<BlocklistSubscription, InvalidParameters | ListSubscriptionRefused | DatabaseUnavailable>
    /** What is blocked because of it alone is blocked no longer. */
    readonly remove: (
      by: CurrentUserShape,
      id: number
    ) => Effect.Effect<void, ListSubscriptionNotFound | DatabaseUnavailable>
    /** What moderators did by hand since a time, where the instance publishes it. */
    readonly publicLog: (startDate: string) => Effect.Effect<AutoMuteList, Forbidden | DatabaseUnavailable>
  }
>()("@kinora/node/people/block/BlocklistSubscriptions") {
  static readonly layer = Layer.effect(
    BlocklistSubscriptions,
    Effect.gen(function* () {
      const rows = yield* BlocklistSubscriptionRows
      const log = yield* PublicBlockLog
      const acts = yield* InstanceActs
      const guard = yield* FetchGuard
      const { blocklist, derived, instance } = yield* KinoraConfig
      const ownHost = new URL(derived.origin).host

      const add = Effect.fn("BlocklistSubscriptions.add")(function* (by: CurrentUserShape, text: string) {
        const { host, href } = yield* checkListAddress(guard, ownHost, text)
        const added = rows.add({ url: href, name: host, max }).pipe(
          Effect.catchTags({
            AlreadySubscribed: () =>
              Effect.fail(new ListSubscriptionRefused({ reason: "This list is subscribed to already" })),
            TooManySubscriptions: () =>
              Effect.fail(new ListSubscriptionRefused({ reason: `There can be no more than ${max} subscriptions` }))
          })
        )
        return yield* acts.act(
          by,
          ({ id, url }) => ({ domain, action: "create", target: { subscriptionId: id, url } }),
          added
        )
      })

      const remove = Effect.fn("BlocklistSubscriptions.remove")(function* (by: CurrentUserShape, id: number) {
        const removed = Effect.flatMap(rows.remove(id), (url) =>
          url === undefined ? Effect.fail(new ListSubscriptionNotFound()) : Effect.succeed(url)
        )
        yield* acts.act(by, (url) => ({ domain, action: "delete", target: { subscriptionId: id, url } }), removed)
      })

      const publicLog = Effect.fn("BlocklistSubscriptions.publicLog")(function* (startDate: string) {
        if (!blocklist.public_log.enabled) {
          return yield* new Forbidden({ reason: "This instance does not publish what it blocks" })
        }
        return { name: instance.name, actions: yield* log.since(startDate, logPage) }
      })

      return BlocklistSubscriptions.of({ add, remove, publicLog })
    })
  )
}
