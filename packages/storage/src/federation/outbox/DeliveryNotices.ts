import { PgClient } from "@effect/sql-pg/PgClient"
import { Context, Effect, Layer, Schedule, Stream } from "effect"
import { listening } from "../../platform/database/Listening.ts"
import type { DueHost } from "./Deliveries.ts"

/** Something is due: at one host, at so many that their deliveries have to be made first, or (`All`) nobody knows where. */
export type DeliveryNotice =
  | { readonly _tag: "All" }
  | { readonly _tag: "Many" }
  | ({ readonly _tag: "Host" } & DueHost)

const hostPattern = /^([0-9]) (\S{1,255})$/

const noticeOf = (payload: string): DeliveryNotice => {
  if (payload === "many") return { _tag: "Many" }
  const [, lane, host] = hostPattern.exec(payload) ?? []
  return host === undefined ? { _tag: "All" } : { _tag: "Host", host, part: lane === "0" ? "first" : "rest" }
}

/** What transactions with deliveries notify when they commit. */
export class DeliveryNotices extends Context.Service<
  DeliveryNotices,
  {
    /** Never ends. Begins with `All`, and again after each loss of the connection, which is one beside the pool. */
    readonly wakeups: Stream.Stream<DeliveryNotice>
  }
>()("@kinora/storage/outbox/DeliveryNotices") {
  static readonly layer = Layer.effect(
    DeliveryNotices,
    Effect.map(PgClient, (sql) =>
      DeliveryNotices.of({
        wakeups: listening(sql, "delivery", "").pipe(
          Stream.retry(Schedule.spaced("1 second")),
          Stream.orDie,
          Stream.map(noticeOf)
        )
      })
    )
  )
}
