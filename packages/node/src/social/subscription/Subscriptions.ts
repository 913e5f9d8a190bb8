import { VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import { SubscriptionRows } from "@kinora/storage/social/subscription/SubscriptionRows"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RemoteSubscriptions } from "./RemoteSubscriptions.ts"

/** Channels that users of this instance follow. */
export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    /**
     * Follows a channel, or goes on following it. A channel of another instance that nobody here knows is not refused
     * (contract: 204): it is looked up and asked in the background, and nothing is followed until it says so.
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
      const { derived, federation } = yield* KinoraConfig
      const jobs = yield* RemoteSubscriptions
      const rows = yield* SubscriptionRows
      const ownHost = new URL(derived.origin).host
      return Subscriptions.of({
        add: Effect.fn("Subscriptions.add")(function* (userId: number, handle: ActorHandle) {
          const followed = yield* rows.add(userId, handle)
          if (followed !== "unknown") return
          const { host, name } = handle
          if (host === null || host === ownHost || !federation.enabled) return yield* new VideoChannelNotFound()
          yield* jobs.askForUser(userId, name, host)
        }),
        remove: Effect.fn("Subscriptions.remove")(function* (userId: number, handle: ActorHandle) {
          const dropped = handle.host === null ? false : yield* jobs.dropForUser(userId, handle)
          if (!(yield* rows.remove(userId, handle)) && !dropped) return yield* new VideoChannelNotFound()
        })
      })
    })
  )
}
