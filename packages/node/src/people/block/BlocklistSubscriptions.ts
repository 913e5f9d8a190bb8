import { constraints } from "@kinora/domain/enums/Constraints"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { AutoMuteList, BlocklistSubscription } from "@kinora/domain/wire/BlocklistSubscription"
import { BlocklistSubscriptionRows } from "@kinora/storage/people/block/BlocklistSubscriptionRows"
import { PublicBlockLog } from "@kinora/storage/people/block/PublicBlockLog"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { makeListSubscribing, type Subscribing, type Unsubscribing } from "../list/ListSubscribing.ts"

const { max } = constraints.listSubscription.instance

/** Actions of one answer (contract: public-log). */
const logPage = 500

/** Block lists of others that the instance applies, and what others may know of its own. */
export class BlocklistSubscriptions extends Context.Service<
  BlocklistSubscriptions,
  {
    /** It is fetched soon after. */
    readonly add: (by: CurrentUserShape, url: string) => Subscribing<BlocklistSubscription>
    /** What is blocked because of it alone is blocked no longer. */
    readonly remove: (by: CurrentUserShape, id: number) => Unsubscribing
    /** What moderators did by hand since a time, where the instance publishes it. */
    readonly publicLog: (startDate: string) => Effect.Effect<AutoMuteList, Forbidden | DatabaseUnavailable>
  }
>()("@kinora/node/people/block/BlocklistSubscriptions") {
  static readonly layer = Layer.effect(
    BlocklistSubscriptions,
    Effect.gen(function* () {
      const rows = yield* BlocklistSubscriptionRows
      const log = yield* PublicBlockLog
      const subscribing = yield* makeListSubscribing("blocklist-subscription")
      const config = yield* KinoraConfig

      const publicLog = Effect.fn("BlocklistSubscriptions.publicLog")(function* (startDate: string) {
        if (!config.blocklist.public_log.enabled) {
          return yield* new Forbidden({ reason: "This instance does not publish what it blocks" })
        }
        return { name: config.instance.name, actions: yield* log.since(startDate, logPage) }
      })

      return BlocklistSubscriptions.of({
        add: Effect.fn("BlocklistSubscriptions.add")((by, url) => subscribing.add(by, url, max, rows.add)),
        remove: Effect.fn("BlocklistSubscriptions.remove")((by, id) => subscribing.remove(by, id, rows.remove(id))),
        publicLog
      })
    })
  )
}
