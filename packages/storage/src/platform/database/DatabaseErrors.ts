import { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Clock, Duration, Effect } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/** `Retry-After` for clients: a restarting server is back within seconds. */
const retryAfterSeconds = 5

/**
 * SQLSTATE codes that mean "the server is shutting down, starting or out of resources" and not "the statement is
 * wrong": shutdown and recovery (57P0x), no disk, memory or connections left (class 53), a read-only standby (25006),
 * an input or output error (58030) and the connection class (08). PostgreSQL manual, appendix A.
 */
const isUnavailableState = (code: string): boolean =>
  code.startsWith("57P0") || code.startsWith("08") || code.startsWith("53") || code === "25006" || code === "58030"

/** The SQLSTATE of an error from the server. Undefined if the server was not reached. */
export const sqlState = (error: SqlError): string | undefined => {
  const cause: unknown = error.reason.cause
  return typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : undefined
}

/** Whether waiting may help: the database was not reached, is starting or stopping, or has no free connection. */
export const isUnavailable = (error: SqlError): boolean => {
  if (error.reason._tag === "ConnectionError") return true
  const code = sqlState(error)
  return code !== undefined && isUnavailableState(code)
}

/** The transaction was aborted because of concurrent ones: a serialization failure (40001) or a deadlock (40P01). */
export const isConflict = (error: SqlError): boolean => ["40001", "40P01"].includes(sqlState(error) ?? "")

/** What a row refers to is not there, or not any more: a violation of a foreign key (23503). */
export const isGone = (error: SqlError): boolean => sqlState(error) === "23503"

/** The statement exceeded its time limit (`statement_timeout`): the server is overloaded at the moment. */
const tookTooLong = (error: SqlError): boolean => sqlState(error) === "57014"

const isFull = (error: SqlError): boolean => sqlState(error) === "53100"

const sayEvery = Duration.toMillis(Duration.minutes(1))
let saidAt: number | undefined

/** Names the reason in the log, once a minute: every request that writes meets it. */
const sayFull = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  if (saidAt !== undefined && now >= saidAt && now - saidAt < sayEvery) return
  saidAt = now
  yield* Effect.logError("The disk of the database is full: what writes is refused with 503. Make room on it.")
})

/**
 * The edge of every repository: a lost or refused connection, a statement that timed out, or repeated conflicts become
 * `DatabaseUnavailable` (503 with `Retry-After`). Every other `SqlError` is a defect, since it is our mistake. Errors
 * that a caller handles (a unique violation) are caught before this.
 */
export const withDatabaseErrors = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError> | DatabaseUnavailable, R> =>
  Effect.catch(effect, (error): Effect.Effect<never, Exclude<E, SqlError> | DatabaseUnavailable> => {
    if (!isSqlError(error)) return Effect.fail(error as Exclude<E, SqlError>)
    if (!isUnavailable(error) && !isConflict(error) && !tookTooLong(error)) return Effect.die(error)
    const unavailable = Effect.fail(new DatabaseUnavailable({ retryAfterSeconds, cause: error }))
    return isFull(error) ? Effect.andThen(sayFull, unavailable) : unavailable
  })
