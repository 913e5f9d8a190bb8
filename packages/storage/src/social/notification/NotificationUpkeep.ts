import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { limit } from "../../platform/database/JsonPage.ts"

/** Removes old notifications. */
export class NotificationUpkeep extends Context.Service<
  NotificationUpkeep,
  {
    /**
     * Deletes what was read, or only mailed, so many days ago, and what is twice as old whether it was read or not; answers
     * how many, at most as many as asked for.
     */
    readonly deleteOld: (days: number, atMost: number) => Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/notifications/NotificationUpkeep") {
  static readonly layer = Layer.effect(
    NotificationUpkeep,
    Effect.map(SqlClient, (sql) =>
      NotificationUpkeep.of({
        deleteOld: Effect.fn("NotificationUpkeep.deleteOld")(function* (days: number, atMost: number) {
          const rows = yield* sql`
            delete from user_notification where id in (
              select id from user_notification
              where updated_at < now() - make_interval(days => ${days}::integer) and mail_at is null and (read or not web)
              order by updated_at limit ${atMost} for update skip locked
            ) returning 1`
          // The oldest of all: ids grow with the time.
          const neglected = yield* sql`
            delete from user_notification where id in (
              select n.id from user_notification n
              where n.id in (select id from user_notification order by id ${limit(sql, { start: 0, count: atMost - rows.length })})
                and n.created_at < now() - make_interval(days => ${2 * days}::integer)
              order by n.id for update skip locked
            ) returning 1`
          return rows.length + neglected.length
        }, withDatabaseErrors)
      })
    )
  )
}
