import * as PgClient from "@effect/sql-pg/PgClient"
import { Data, Duration, Effect, Layer, Redacted, Schedule } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { isUnavailable, sqlState } from "./DatabaseErrors.ts"
import { SlowSql } from "./SlowSql.ts"
import { withSteadyTransactions } from "./Transactions.ts"
import { registry } from "./Types.ts"

export { withDatabaseErrors } from "./DatabaseErrors.ts"

/** How to reach PostgreSQL. `url` is a libpq URI. A socket directory goes into its `host` query parameter. */
export interface DatabaseOptions {
  readonly url: Redacted.Redacted
  /**
   * Upper bound of both pools together. Statements are pipelined, so few connections carry many requests. A third of
   * them, but at least one, is for `SlowSql`, even if the total becomes two. Default 12.
   */
  readonly maxConnections?: number | undefined
  /** A statement that takes longer is cancelled by the server. Default 30 seconds. */
  readonly statementTimeout?: Duration.Input | undefined
  /** How long a connection may take to open before a request gives up. Default 2 seconds. */
  readonly connectTimeout?: Duration.Input | undefined
  /** Shown in `pg_stat_activity`. Default `kinora`. */
  readonly applicationName?: string | undefined
}

/** The database answers, but cannot be used. `message` says what an operator should change. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{ readonly message: string }> {}

const oldestMajor = 14

/**
 * Pipelined statements of any requests per connection, before another connection is opened. They are answered in order:
 * more means fewer round trips, but also more waiting behind a slow one, which is why slow ones use `SlowSql`.
 */
const pipelined = 4
const defaultConnections = 12
/** Nobody waits longer than this for a list. */
const slowestRead = Duration.seconds(5)
const waitBetweenTries = Duration.millis(250)
const messageEvery = 20

/** `host:port/name` of a URL, for messages. Never contains the password. */
const target = (url: Redacted.Redacted): string => {
  const parsed = URL.parse(Redacted.value(url))
  if (parsed === null) return "(unreadable URL)"
  const host = parsed.searchParams.get("host") ?? parsed.hostname
  return `${host}${parsed.port === "" ? "" : `:${parsed.port}`}${parsed.pathname}`
}

const unusable = (error: SqlError, name: string): DatabaseUnusable => {
  const code = sqlState(error)
  if (code === "3D000") {
    return new DatabaseUnusable({ message: `The database ${name} does not exist: create it, then start again.` })
  }
  if (error.reason._tag === "AuthenticationError") {
    return new DatabaseUnusable({ message: `The database ${name} refuses user or password: ${error.message}` })
  }
  return new DatabaseUnusable({ message: `The database ${name} cannot be used: ${error.message}` })
}

/**
 * Waits until the server answers, and logs this at once and then every few seconds. Refuses read-only servers and those
 * before PostgreSQL 14.
 */
const ready = Effect.fn("Database.ready")(function* (sql: SqlClient, name: string) {
  let tries = 0
  const rows = yield* sql<{ version: number; text: string; readOnly: boolean }>`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as text,
      current_setting('transaction_read_only')::bool as "readOnly"
  `.pipe(
    Effect.tapError((error) =>
      isUnavailable(error) && tries++ % messageEvery === 0
        ? Effect.logWarning(`The database ${name} does not answer (${error.message}). Waiting for it.`)
        : Effect.void
    ),
    Effect.retry({ while: isUnavailable, schedule: Schedule.spaced(waitBetweenTries) }),
    Effect.mapError((error) => unusable(error, name))
  )
  if (tries > 0) yield* Effect.logInfo(`The database ${name} answers.`)
  const { readOnly, text, version } = rows[0]!
  if (version < oldestMajor * 10_000) {
    return yield* new DatabaseUnusable({
      message: `The database ${name} runs PostgreSQL ${text}: version ${oldestMajor} or newer is needed.`
    })
  }
  if (readOnly) {
    return yield* new DatabaseUnusable({
      message: `The database ${name} is read-only (a standby, or default_transaction_read_only): name one that can be written.`
    })
  }
})

/** A client with a lazy pool: it can be created while the server is down. */
const client = (options: DatabaseOptions, pool: { readonly connections: number; readonly pipelined: number }) =>
  Effect.map(
    PgClient.make({
      url: options.url,
      maxConnections: pool.connections,
      idleTimeout: Duration.minutes(5),
      connectTimeout: options.connectTimeout ?? Duration.seconds(2),
      keepAlive: Duration.seconds(30),
      applicationName: options.applicationName ?? "kinora",
      multiplex: pool.pipelined > 1,
      multiplexConcurrency: pool.pipelined,
      types: registry,
      startupParameters: {
        statement_timeout: String(Duration.toMillis(options.statementTimeout ?? Duration.seconds(30))),
        // Statements are prepared and short: if the server planned each call for its values, that would cost several
        // times more than running them.
        plan_cache_mode: "force_generic_plan",
        TimeZone: "UTC"
      }
    }),
    withSteadyTransactions
  )

/** Opens no connection before the first statement. */
const slowLayer = (options: DatabaseOptions, connections: number) =>
  Layer.effect(SlowSql, client({ statementTimeout: slowestRead, ...options }, { connections, pipelined: 1 })).pipe(
    Layer.provide(Reactivity.layer),
    Layer.orDie
  )

/**
 * The SQL client, ready for use: waits for the server on start. If a connection is lost later, the next statement opens
 * a new one, so that everything resumes when the server is back. Until then statements fail within `connectTimeout`
 * with an error that {@link withDatabaseErrors} maps to 503.
 */
export const layer = (
  options: DatabaseOptions
): Layer.Layer<PgClient.PgClient | SqlClient | SlowSql, DatabaseUnusable> => {
  const max = options.maxConnections ?? defaultConnections
  const slow = Math.max(1, Math.floor(max / 3))
  const pool = { connections: Math.max(1, max - slow), pipelined }
  const quick = PgClient.layerFrom(
    Effect.gen(function* () {
      const sql = yield* client(options, pool).pipe(Effect.mapError((error) => unusable(error, target(options.url))))
      yield* ready(sql, target(options.url))
      return sql
    })
  )
  return Layer.merge(quick, slowLayer(options, slow))
}

/**
 * Clients for a server that answers reads alone, made without asking it: it may be away. Statements take at most as long as those
 * of lists.
 */
export const readOnlyLayer = (options: DatabaseOptions): Layer.Layer<PgClient.PgClient | SqlClient | SlowSql> => {
  const max = options.maxConnections ?? defaultConnections
  const slow = Math.max(1, Math.floor(max / 2))
  const limited = { statementTimeout: slowestRead, ...options }
  return Layer.merge(
    Layer.orDie(PgClient.layerFrom(client(limited, { connections: Math.max(1, max - slow), pipelined }))),
    slowLayer(limited, slow)
  )
}
