import type { PgConnection } from "@effect/sql-pg/PgConnection"
import { Data, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Somebody else holds removals already. */
export class RemovalsHeld extends Data.TaggedError("RemovalsHeld")<{ readonly message: string }> {}

/** Two numbers that every version of the program takes: who holds removals, and what those who remove wait for. */
const holder = 5_462_002
const removal = 5_462_003

/**
 * In a transaction that removes objects: whether it may. It holds a shared lock until it ends; where a backup holds the
 * other half it does not wait, and comes back later.
 */
export const mayRemove = (sql: SqlClient) =>
  Effect.map(
    sql<{ may: boolean }>`select pg_try_advisory_xact_lock_shared(${removal}) as may`,
    (rows) => rows[0]?.may === true
  )

/**
 * No node removes an object from now on, until the connection ends, by whatever means: so a backup that is killed holds
 * nothing. Removals that are due wait in their queue. Waits for those under way.
 */
export const holdRemovals = Effect.fn("RemovalHold.hold")(function* (connection: PgConnection) {
  const alone = yield* connection.query("select pg_try_advisory_lock($1) as held", [holder])
  if (alone.rows[0]?.["held"] !== true) {
    return yield* new RemovalsHeld({ message: "Another backup of this instance is running. Wait until it has ended." })
  }
  yield* connection.query("select pg_advisory_lock($1)", [removal])
})
