import { PgClient } from "@effect/sql-pg/PgClient"
import { Context, Effect, Layer, Schedule, Stream } from "effect"
import { listening } from "../../platform/database/Listening.ts"

/** Says when transactions have marked changes for the outbox. */
export class ChangeNotices extends Context.Service<
  ChangeNotices,
  {
    /** Never ends. Begins with one, and again after each loss of the connection, which is one beside the pool. */
    readonly wakeups: Stream.Stream<void>
  }
>()("@kinora/storage/outbox/ChangeNotices") {
  static readonly layer = Layer.effect(
    ChangeNotices,
    Effect.map(PgClient, (sql) =>
      ChangeNotices.of({
        wakeups: listening(sql, "outbox", "").pipe(
          Stream.retry(Schedule.spaced("1 second")),
          Stream.orDie,
          Stream.map(() => undefined)
        )
      })
    )
  )
}
