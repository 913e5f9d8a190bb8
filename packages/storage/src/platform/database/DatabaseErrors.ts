import { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Effect } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/** What clients are told to wait: a server that restarts is back within seconds. */
const retryAfterSeconds = 5

/**
 * SQLSTATE codes that mean "the server is going away, coming up or full" and not "the statement is wrong": shutdown and
 * recovery (57P0x), too many connections (53300) and the connection class (08). PostgreSQL manual, appendix A.
 */
const isUnavailableState = (code: string): boolean =>
  code.startsWith("57P0") || code.startsWith("08") || code === "53300"

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

/** The statement took longer than it may (`statement_timeout`): there is too much to do at the moment. */
const tookTooLong = (error: SqlError): boolean => sqlState(error) === "57014"

/**
 * The edge of every repository: a lost or refused connection, or a statement that the server ended for its time, becomes `DatabaseUnavailable` (503 with `Retry-After`),
 * every other `SqlError` is a defect, since it is a mistake of ours. Errors a caller acts on (a unique violation) are
 * caught before this.
 */
export const withDatabaseErrors = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError> | DatabaseUnavailable, R> =>
  Effect.catch(effect, (error): Effect.Effect<never, Exclude<E, SqlError> | DatabaseUnavailable> => {
    if (!isSqlError(error)) return Effect.fail(error as Exclude<E, SqlError>)
    return isUnavailable(error) || tookTooLong(error)
      ? Effect.fail(new DatabaseUnavailable({ retryAfterSeconds, cause: error }))
      : Effect.die(error)
  })
