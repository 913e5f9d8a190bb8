import { PgClient } from "@effect/sql-pg/PgClient"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Notification } from "@kinora/domain/wire/Notification"
import { Context, Effect, Layer, Schedule, Stream } from "effect"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { listening } from "../../platform/database/Listening.ts"
import {
  frameColumns,
  notificationActors,
  notificationColumns,
  type NotificationFrame,
  notificationJoins,
  notificationJson,
  type NotificationRow,
  notificationSubject
} from "./NotificationJson.ts"

/** Rows that one transaction made of one event: ids from `first` to `last`, among which those of others may lie. */
export interface MadeNotifications {
  readonly event: string
  readonly first: number
  readonly last: number
}

/** What nodes of one database wake each other with. */
export type NotificationWakeup =
  /** The connection listens from here on; what was sent before may have been missed. */
  | { readonly _tag: "Up" }
  | { readonly _tag: "Event" }
  | { readonly _tag: "Mail" }
  | ({ readonly _tag: "Made" } & MadeNotifications)

/** A notification and whose it is. */
export interface PushedNotification {
  readonly userId: number
  readonly notification: Notification
}

const madePattern = /^made (\d{1,19}) (\d{1,10}) (\d{1,10})$/

const wakeupOf = (payload: string): ReadonlyArray<NotificationWakeup> => {
  if (payload === "") return [{ _tag: "Up" }]
  if (payload === "event") return [{ _tag: "Event" }]
  if (payload === "mail") return [{ _tag: "Mail" }]
  const made = madePattern.exec(payload)
  return made === null ? [] : [{ _tag: "Made", event: made[1]!, first: Number(made[2]), last: Number(made[3]) }]
}

/** Wakeups of the workers that make, mail and push notifications. */
export class NotificationWakeups extends Context.Service<
  NotificationWakeups,
  {
    /** Never ends. Holds a connection beside the pool. */
    readonly stream: Stream.Stream<NotificationWakeup>
    /** Those of these users that are in their lists. */
    readonly of: (
      made: MadeNotifications,
      userIds: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<PushedNotification>, DatabaseUnavailable>
  }
>()("@kinora/storage/notifications/NotificationWakeups") {
  static readonly layer = Layer.effect(
    NotificationWakeups,
    Effect.gen(function* () {
      const sql = yield* PgClient
      const columns = sql.literal(notificationColumns)
      const joins = sql.literal(notificationJoins)
      const frame = sql.literal(frameColumns)
      return NotificationWakeups.of({
        stream: listening(sql, "notification", "").pipe(
          Stream.retry(Schedule.spaced("1 second")),
          Stream.orDie,
          Stream.flatMap((payload) => Stream.fromIterable(wakeupOf(payload)))
        ),
        of: Effect.fnUntraced(function* ({ event, first, last }: MadeNotifications, userIds: ReadonlyArray<number>) {
          const ours = sql`n.id between ${first} and ${last} and n.event_id = ${event}::bigint`
          // All are about one thing, which is read once.
          const subjects = yield* sql<NotificationRow>`
            select ${columns} from user_notification n ${joins} where ${ours} order by n.id limit 1`
          const [row] = subjects
          if (row === undefined) return []
          const subject = notificationSubject(row, yield* notificationActors(sql, subjects))
          const frames = yield* sql<NotificationFrame & { readonly userId: number }>`
            select ${frame}, n.user_id as "userId" from user_notification n
            where ${ours} and n.web and n.user_id = any(${userIds}::int[]) order by n.id`
          return frames.map((it) => ({ userId: it.userId, notification: notificationJson(it, subject) }))
        }, withDatabaseErrors)
      })
    })
  )
}
