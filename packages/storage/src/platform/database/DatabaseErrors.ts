import { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Effect } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/** What clients are told to wait: a server that restarts is back within seconds. */
const retryAfterSeconds = 5

/**
 * SQLSTATE codes that mean "the server is going away, coming up or full" and not "the statement is wrong": shutdown and
 * recovery (57P0x), no disk, memory or connections left (class 53), a standby that only reads (25006), an input or output
 * error (58030) and the connection class (08). PostgreSQL manual, appendix A.
 */
const isUnavailableState = (code: string): boolean =>
  code.startsWith("57P0") || code.startsWith("08") || code.startsWith("53") || code === "25006" || code === "58030"

/** The SQLSTATE of an error the server reported, undefined where the server was not reached. */
export const sqlState = (error: SqlError): string | undefined => {
  const cause: unknown = error.reason.cause
  return typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : undefined
}

/** Whether waiting for the database may help: it was not reached, is starting, stopping or has no free connection. */
export const isUnavailable = (error: SqlError): boolean => {
  if (error.reason._tag === "ConnectionError") return true
  const code = sqlState(error)
  return code !== undefined && isUnavailableState(code)
}

/** The transaction was aborted because of others: a serialization failure (40001) or a deadlock (40P01). */
export const isConflict = (error: SqlError): boolean => ["40001", "40P01"].includes(sqlState(error) ?? "")

/** The statement took longer than it may (`statement_timeout`): there is too much to do at the moment. */
const tookTooLong = (error: SqlError): boolean => sqlState(error) === "57014"

/**
 * The edge of every repository: a lost or refused connection, a statement that the server ended for its time or that met
 * others once too often, becomes `DatabaseUnavailable` (503 with `Retry-After`); every other `SqlError` is a defect, since it is a mistake of ours. Errors a caller acts on (a unique violation) are
 * caught before this.
 */
export const withDatabaseErrors = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError> | DatabaseUnavailable, R> =>
  Effect.catch(effect, (error): Effect.Effect<never, Exclude<E, SqlError> | DatabaseUnavailable> => {
    if (!isSqlError(error)) return Effect.fail(error as Exclude<E, SqlError>)
    return isUnavailable(error) || isConflict(error) || tookTooLong(error)
      ? Effect.fail(new DatabaseUnavailable({ retryAfterSeconds, cause: error }))
      : Effect.die(error)
  })
