import type { PgClient } from "@effect/sql-pg/PgClient"
import { Cause, Effect, Option } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { isConflict, isUnavailable } from "./DatabaseErrors.ts"

/** How often a transaction is repeated that PostgreSQL aborted because of another one. */
const maxRepeats = 3

/** The SQL errors in a cause, including those that are defects. */
const sqlErrors = (cause: Cause.Cause<unknown>): ReadonlyArray<SqlError> =>
  cause.reasons.flatMap((reason) => {
    const error = reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : undefined
    if (isSqlError(error)) return [error]
    // A repository within the transaction has already mapped it to a typed error.
    const within = typeof error === "object" && error !== null && "cause" in error ? error.cause : undefined
    return isSqlError(within) ? [within] : []
  })

/**
 * If the connection is lost, the rollback fails too and is reported as a defect instead of the original error. Nothing
 * needs to be rolled back then: the database is unavailable.
 */
const withoutFailedRollback = <E>(cause: Cause.Cause<E>): Cause.Cause<E | SqlError> => {
  if (Cause.hasInterrupts(cause)) return cause
  const lost = cause.reasons.flatMap((reason) =>
    reason._tag === "Die" && isSqlError(reason.defect) && isUnavailable(reason.defect) ? [reason.defect] : []
  )[0]
  return lost === undefined ? cause : Cause.fail(lost)
}

/**
 * Makes transactions of a client robust: one that loses its connection fails with that error, and one that PostgreSQL
 * aborts because of a deadlock or a concurrent change is repeated from its start. So work in a transaction must be
 * repeatable.
 */
export const withSteadyTransactions = (sql: PgClient): PgClient => {
  const once = sql.withTransaction
  const withTransaction = <R, E, A>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> => {
    const attempt = Effect.catchCause(once(effect), (cause) => Effect.failCause(withoutFailedRollback(cause)))
    const repeated = (left: number): Effect.Effect<A, E | SqlError, R> =>
      left === 0
        ? attempt
        : Effect.catchCause(attempt, (cause) =>
            sqlErrors(cause).some(isConflict)
              ? Effect.andThen(
                  Effect.logDebug("A transaction conflicted with another one and is retried", cause),
                  repeated(left - 1)
                )
              : Effect.failCause(cause)
          )
    // A savepoint cannot be repeated by itself: the whole transaction is aborted.
    return Effect.flatMap(Effect.serviceOption(sql.transactionService), (outer) =>
      Option.isSome(outer) ? attempt : repeated(maxRepeats)
    )
  }
  return Object.assign(sql, { withTransaction })
}
