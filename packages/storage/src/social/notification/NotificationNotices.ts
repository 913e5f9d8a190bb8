import { PgClient } from "@effect/sql-pg/PgClient"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Schedule, Stream } from "effect"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { listening } from "../../platform/database/Listening.ts"

/** Rows that one transaction made of one event: ids from `first` to `last`, among which those of others may lie. */
export interface MadeNotifications {
  readonly event: string
  readonly first: number
  readonly last: number
}

/** What is heard on the channel of notifications. */
export type NotificationNotice =
  /** From here on everything is heard; what was before may have been missed. */
  | { readonly _tag: "Up" }
  | { readonly _tag: "Event" }
  | { readonly _tag: "Mail" }
  | ({ readonly _tag: "Made" } & MadeNotifications)

/** A notification and whose it is, as JSON text (contract: Notification). */
export interface PushedNotification {
  readonly userId: number
  readonly body: string
}

const madePattern = /^made (\d{1,19}) (\d{1,10}) (\d{1,10})$/

const noticeOf = (payload: string): ReadonlyArray<NotificationNotice> => {
  if (payload === "") return [{ _tag: "Up" }]
  if (payload === "event") return [{ _tag: "Event" }]
  if (payload === "mail") return [{ _tag: "Mail" }]
  const made = madePattern.exec(payload)
  return made === null ? [] : [{ _tag: "Made", event: made[1]!, first: Number(made[2]), last: Number(made[3]) }]
}

/** What nodes of one database tell each other of notifications. */
export class NotificationNotices extends Context.Service<
  NotificationNotices,
  {
    /** Never ends. Holds a connection beside the pool. */
    readonly heard: Stream.Stream<NotificationNotice>
    /** Those of these users that are in their lists. */
    readonly of: (
      made: MadeNotifications,
      userIds: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<PushedNotification>, DatabaseUnavailable>
  }
>()("@kinora/storage/notifications/NotificationNotices") {
  static readonly layer = Layer.effect(
    NotificationNotices,
    Effect.gen(function* () {
      const sql = yield* PgClient
      return NotificationNotices.of({
        heard: listening(sql, "notification", "").pipe(
          Stream.retry(Schedule.spaced("1 second")),
          Stream.orDie,
          Stream.flatMap((payload) => Stream.fromIterable(noticeOf(payload)))
        ),
        of: Effect.fnUntraced(function* ({ event, first, last }: MadeNotifications, userIds: ReadonlyArray<number>) {
          // All are about one thing: what it is is told once.
          return yield* sql<PushedNotification>`
            with about as materialized (
              select wire_notification_subject(n) as subject from user_notification n
              where n.id between ${first} and ${last} and n.event_id = ${event}::bigint order by n.id limit 1
            )
            select n.user_id as "userId", wire_notification_of(n, a.subject) as body from user_notification n, about a
            where n.id between ${first} and ${last} and n.event_id = ${event}::bigint and n.web
              and n.user_id = any(${userIds}::int[])
            order by n.id`
        }, withDatabaseErrors)
      })
    })
  )
}
