import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Data, Effect, type Redacted } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { registry } from "../../platform/database/Types.ts"
import { keyOf, type MovingStep } from "./steps/MovingStep.ts"

/** The old database cannot be read, or is none of the kind. `message` says what to do. */
export class SourceUnusable extends Data.TaggedError("SourceUnusable")<{ readonly message: string }> {}

/** Columns of each table, as `information_schema` has them. */
export type Catalogue = ReadonlyMap<string, ReadonlySet<string>>

/** Rows as JSON text, and the key of the last one. */
export interface SourcePage {
  readonly rows: ReadonlyArray<string>
  readonly last: ReadonlyArray<number>
}

/** Reads the database of the old instance, in one snapshot, and never writes to it. */
export interface SourceDatabase {
  readonly catalogue: Catalogue
  readonly query: <A>(
    statement: string,
    params?: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<A>, SourceUnusable>
  readonly count: (table: string) => Effect.Effect<number, SourceUnusable>
  /** Rows that a step has to read. */
  readonly rowsOf: (step: MovingStep) => Effect.Effect<number, SourceUnusable>
  /** Rows of a step after a key, in the order of their keys. */
  readonly page: (
    step: MovingStep,
    after: ReadonlyArray<number>,
    most: number
  ) => Effect.Effect<SourcePage, SourceUnusable>
}

const saidBy = (error: SqlError): string =>
  error.reason.cause instanceof Error ? error.reason.cause.message : error.message

const unusable = (error: SqlError) =>
  new SourceUnusable({ message: `The database of the old instance cannot be read: ${saidBy(error)}` })

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** `(a, b)` of columns. */
const list = (names: ReadonlyArray<string>): string => `(${names.map(quoted).join(", ")})`

const statementOf = (step: MovingStep, catalogue: Catalogue): string =>
  step.select !== undefined && step.select.tables.every((table) => catalogue.has(table))
    ? step.select.text
    : `select * from public.${quoted(step.table)}`

/**
 * Connects to the old database: read only, and in one snapshot until the scope closes.
 *
 * @param url a libpq URI
 */
export const openSource = Effect.fn("SourceDatabase.open")(function* (url: Redacted.Redacted) {
  const connection = yield* PgConnection.make({
    url,
    applicationName: "kinora import-peertube",
    connectTimeout: "10 seconds",
    types: registry,
    maxMessageSize: 256 * 1024 * 1024,
    startupParameters: {
      default_transaction_read_only: "on",
      timezone: "UTC",
      statement_timeout: "0",
      // Copying files takes hours, in which the snapshot is only held.
      idle_in_transaction_session_timeout: "0"
    }
  }).pipe(Effect.mapError(unusable))

  const query = <A>(statement: string, params: ReadonlyArray<unknown> = []) =>
    connection.query(statement, params, false).pipe(
      Effect.map(({ rows }) => rows as ReadonlyArray<unknown> as ReadonlyArray<A>),
      Effect.mapError(unusable)
    )

  yield* query("begin transaction isolation level repeatable read, read only")
  const columns = yield* query<{ table: string; column: string }>(`
    select c.table_name as "table", c.column_name as "column" from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' order by 1, 2`)
  const catalogue = new Map<string, Set<string>>()
  for (const { column, table } of columns) {
    const known = catalogue.get(table) ?? new Set()
    catalogue.set(table, known.add(column))
  }

  const count = (table: string) =>
    Effect.map(
      query<{ count: number }>(`select count(*) as count from public.${quoted(table)}`),
      (rows) => rows[0]!.count
    )

  const rowsOf = Effect.fnUntraced(function* (step: MovingStep) {
    if (!catalogue.has(step.table)) return 0
    return (yield* query<{ count: number }>(`select count(*) as count from (${statementOf(step, catalogue)}) t`))[0]!
      .count
  })

  const page = Effect.fnUntraced(function* (step: MovingStep, after: ReadonlyArray<number>, most: number) {
    const key = keyOf(step)
    const params = after.map((_, place) => `$${place + 1}::bigint`).join(", ")
    const found = yield* query<{ row: string; key: string }>(
      `select to_jsonb(t)::text as row, to_jsonb(array[${key.map((name) => `t.${quoted(name)}::bigint`).join(", ")}])::text as key
       from (${statementOf(step, catalogue)}) t ${after.length === 0 ? "" : `where ${list(key)} > (${params})`}
       order by ${key.map(quoted).join(", ")} limit ${most}`,
      after
    )
    const last = found.at(-1)
    return {
      rows: found.map(({ row }) => row),
      last: last === undefined ? after : (last.key.slice(1, -1).split(",").map(Number) as ReadonlyArray<number>)
    }
  })

  const source: SourceDatabase = { catalogue, query, count, rowsOf, page }
  return source
})
