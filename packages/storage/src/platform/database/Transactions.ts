import type { PgClient } from "@effect/sql-pg/PgClient"
import { Cause, Effect, Option } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { isConflict, isUnavailable } from "./DatabaseErrors.ts"

/** Times a transaction is run again that PostgreSQL aborted for the sake of another one. */
const mostRepeats = 3

/** The errors of SQL in a cause, those that are defects too. */
const sqlErrors = (cause: Cause.Cause<unknown>): ReadonlyArray<SqlError> =>
  cause.reasons.flatMap((reason) => {
    const error = reason._tag === "Fail" ? reason.error : reason._tag === "Die" ? reason.defect : undefined
    if (isSqlError(error)) return [error]
    // A repository within the transaction has made it a typed error already.
    const within = typeof error === "object" && error !== null && "cause" in error ? error.cause : undefined
    return isSqlError(within) ? [within] : []
  })

/**
 * A rollback over a connection that is gone fails, too, and is reported as a defect in place of what went wrong. Nothing
 * is left to roll back then: it is the database that is unavailable.
 */
const withoutFailedRollback = <E>(cause: Cause.Cause<E>): Cause.Cause<E | SqlError> => {
  if (Cause.hasInterrupts(cause)) return cause
  const lost = cause.reasons.flatMap((reason) =>
    reason._tag === "Die" && isSqlError(reason.defect) && isUnavailable(reason.defect) ? [reason.defect] : []
  )[0]
  return lost === undefined ? cause : Cause.fail(lost)
}

/**
 * Makes transactions of a client bear what happens to a database: one that loses its connection fails with that error,
 * and one that PostgreSQL aborts as the victim of a deadlock or of a concurrent change is run again from its start. Work
 * in a transaction is therefore such that it can be done twice.
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
                  Effect.logDebug("A transaction met another one and is run again", cause),
                  repeated(left - 1)
                )
              : Effect.failCause(cause)
          )
    // A savepoint cannot be run again by itself: the whole transaction is aborted.
    return Effect.flatMap(Effect.serviceOption(sql.transactionService), (outer) =>
      Option.isSome(outer) ? attempt : repeated(mostRepeats)
    )
  }
  return Object.assign(sql, { withTransaction })
}
