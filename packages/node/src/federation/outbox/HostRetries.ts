import { ServerNotFound } from "@kinora/domain/errors/FollowErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { Deliveries } from "@kinora/storage/federation/outbox/Deliveries"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"

/** Has hosts tried again before their rest is over. */
export class HostRetries extends Context.Service<
  HostRetries,
  {
    /** Delivers what waits for the host now. */
    readonly retry: (user: CurrentUserShape, host: string) => Effect.Effect<void, ServerNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/federation/outbox/HostRetries") {
  static readonly layer = Layer.effect(
    HostRetries,
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const audit = yield* AuditTrail
      return HostRetries.of({
        retry: Effect.fn("HostRetries.retry")(function* (user: CurrentUserShape, host: string) {
          const entry = { domain: "federation-host", action: "retry", target: { host } }
          const known = yield* audit.act(user, (it) => (it ? entry : undefined), deliveries.retryHost(host))
          if (!known) return yield* new ServerNotFound()
        })
      })
    })
  )
}
