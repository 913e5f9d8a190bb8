import { PgClient } from "@effect/sql-pg/PgClient"
import { Context, Effect, Layer, Schedule, Stream } from "effect"
import { listening } from "../../platform/database/Listening.ts"

/** Says that an event or a delivery may wait for a webhook: at first, and when one was written. */
export class WebhookWakeups extends Context.Service<
  WebhookWakeups,
  {
    /** Never ends. Holds a connection beside the pool. */
    readonly stream: Stream.Stream<void>
  }
>()("@kinora/storage/instance/webhook/WebhookWakeups") {
  static readonly layer = Layer.effect(
    WebhookWakeups,
    Effect.map(PgClient, (sql) =>
      WebhookWakeups.of({
        stream: listening(sql, "webhook", "").pipe(
          Stream.retry(Schedule.spaced("1 second")),
          Stream.orDie,
          Stream.map(() => undefined)
        )
      })
    )
  )
}
