import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** Runs an effect in the caller's transaction where there is one, else in one of its own: no savepoint is made for it. */
export const inTransaction =
  (sql: SqlClient) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (transaction): Effect.Effect<A, E | SqlError, R> =>
      Option.isSome(transaction) ? effect : sql.withTransaction(effect)
    )
