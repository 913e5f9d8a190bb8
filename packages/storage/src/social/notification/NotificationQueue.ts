import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import { isGone, isUnavailable, withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** Something that happened, as it was recorded in the transaction that made it happen. */
export interface NotificationEvent {
  /** A bigint, which is too large for numbers. */
  readonly id: string
  readonly tag: string
  /** Id of the row it is about, which may be gone by now. */
  readonly subject: number
  /** Facts that cannot be read afterwards, as the tag has them. */
  readonly details: unknown
  /** Where the last step ended: the last follow whose follower was notified; 0 at first. */
  readonly position: number
  readonly createdAt: Date
}

/** What is left of an event after a step: nothing, or what comes after a position. */
export type Remainder = { readonly _tag: "Done" } | { readonly _tag: "After"; readonly position: number }

/** After so many failures an event is dropped. */
const mostFailures = 8

/** Events that wait for their notifications. */
export class NotificationQueue extends Context.Service<
  NotificationQueue,
  {
    /**
     * Has `process` do one step of the next event, in one transaction with all it writes: the row of the event is locked
     * meanwhile, and how far it has come is committed with the notifications. So any number of nodes may do this, and one
     * that dies in the middle neither loses nor doubles anything. Events with many recipients take turns with others. False:
     * there is nothing to do.
     */
    readonly next: (
      process: (event: NotificationEvent) => Effect.Effect<Remainder, DatabaseUnavailable>
    ) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/notifications/NotificationQueue") {
  static readonly layer = Layer.effect(
    NotificationQueue,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const settle = (event: NotificationEvent, remainder: Remainder) =>
        remainder._tag === "Done"
          ? sql`delete from notification_event where id = ${event.id}::bigint`
          : sql`update notification_event set position = ${remainder.position}, turns = turns + 1
              where id = ${event.id}::bigint`

      const postpone = Effect.fnUntraced(function* (event: NotificationEvent, cause: unknown) {
        const of = `${event.tag} ${event.subject}`
        // Somebody removed what it is about between the reading and the writing: the next attempt finds nobody to notify.
        if (isSqlError(cause) && isGone(cause)) yield* Effect.logDebug(`${of} was removed while it was notified of`)
        else yield* Effect.logError(`The notifications of ${of} cannot be made at the moment`, cause)
        yield* sql`
          update notification_event set failures = failures + 1, turns = turns + 1,
            not_before = now() + make_interval(secs => least(3600, 2 ^ failures)) where id = ${event.id}::bigint`
        yield* sql`delete from notification_event where id = ${event.id}::bigint and failures >= ${mostFailures}`
      })

      return NotificationQueue.of({
        next: Effect.fn("NotificationQueue.next")(
          function* (process: (event: NotificationEvent) => Effect.Effect<Remainder, DatabaseUnavailable>) {
            const [event] = yield* sql<NotificationEvent>`
              select id::text as id, tag, subject, details, position, created_at as "createdAt" from notification_event
              where not_before <= now() order by turns, id limit 1 for update skip locked`
            if (event === undefined) return false
            // A transaction of its own inside this one: what fails takes back what it wrote and no more.
            yield* sql.withTransaction(Effect.flatMap(process(event), (remainder) => settle(event, remainder))).pipe(
              Effect.catchTag("SqlError", (error) =>
                isUnavailable(error) ? Effect.fail(error) : postpone(event, error)
              ),
              Effect.catchDefect((cause) => postpone(event, cause))
            )
            return true
          },
          sql.withTransaction,
          withDatabaseErrors
        )
      })
    })
  )
}
