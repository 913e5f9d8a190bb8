import { VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import { SubscriptionRows } from "@kinora/storage/subscriptions/SubscriptionRows"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../config/Config.ts"

/** Channels that users of this instance follow. */
export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    /**
     * Follows a channel, or goes on following it. A channel of another instance that nobody here knows is not refused
     * (contract: 204): whether there is one is found out over there, and nothing is followed until then.
     */
    readonly add: (
      userId: number,
      handle: ActorHandle
    ) => Effect.Effect<void, VideoChannelNotFound | DatabaseUnavailable>
    readonly remove: (
      userId: number,
      handle: ActorHandle
    ) => Effect.Effect<void, VideoChannelNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/subscriptions/Subscriptions") {
  static readonly layer = Layer.effect(
    Subscriptions,
    Effect.gen(function* () {
      const { derived } = yield* KinoraConfig
      const rows = yield* SubscriptionRows
      const ownHost = new URL(derived.origin).host
      return Subscriptions.of({
        add: Effect.fn("Subscriptions.add")(function* (userId: number, handle: ActorHandle) {
          const followed = yield* rows.add(userId, handle)
          if (followed === "unknown" && (handle.host === null || handle.host === ownHost)) {
            return yield* new VideoChannelNotFound()
          }
        }),
        remove: Effect.fn("Subscriptions.remove")(function* (userId: number, handle: ActorHandle) {
          if (!(yield* rows.remove(userId, handle))) return yield* new VideoChannelNotFound()
        })
      })
    })
  )
}
