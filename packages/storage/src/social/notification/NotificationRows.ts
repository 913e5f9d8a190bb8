import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** Which notifications their users have read. */
export class NotificationRows extends Context.Service<
  NotificationRows,
  {
    /** Ids of others, or of none, are passed by. */
    readonly read: (userId: number, ids: ReadonlyArray<number>) => Effect.Effect<void, DatabaseUnavailable>
    readonly readAll: (userId: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/notifications/NotificationRows") {
  static readonly layer = Layer.effect(
    NotificationRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const read = Effect.fn("NotificationRows.read")(function* (userId: number, ids: ReadonlyArray<number>) {
        yield* sql`
          update user_notification set read = true, updated_at = now()
          where user_id = ${userId} and id = any(${ids}::int[]) and web and not read`
      }, withDatabaseErrors)

      const readAll = Effect.fn("NotificationRows.readAll")(function* (userId: number) {
        yield* sql`
          update user_notification set read = true, updated_at = now()
          where user_id = ${userId} and web and not read`
      }, withDatabaseErrors)

      return NotificationRows.of({ read, readAll })
    })
  )
}
