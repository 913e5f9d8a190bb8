import { ServerNotFound } from "@kinora/domain/errors/FollowErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Deliveries } from "@kinora/storage/federation/outbox/Deliveries"
import { Context, Effect, Layer } from "effect"

/** Has hosts tried again before their rest is over. */
export class HostRetries extends Context.Service<
  HostRetries,
  {
    /** Delivers what waits for the host now. */
    readonly retry: (host: string) => Effect.Effect<void, ServerNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/federation/outbox/HostRetries") {
  static readonly layer = Layer.effect(
    HostRetries,
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      return HostRetries.of({
        retry: Effect.fn("HostRetries.retry")(function* (host: string) {
          if (!(yield* deliveries.retryHost(host))) return yield* new ServerNotFound()
        })
      })
    })
  )
}
