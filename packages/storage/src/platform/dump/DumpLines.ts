import type { PgConnection } from "@effect/sql-pg/PgConnection"
import { Effect, Stream } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { type DumpHead, encodeHead, signature } from "./DumpHead.ts"
import { dumpCatalogue, type DumpTable } from "./DumpTables.ts"

/** Rows of the next statement, and how many characters they are. */
interface Batch {
  readonly rows: Array<string>
  readonly length: number
}

/** Characters of rows that one statement inserts, about: few enough to be held in memory several times over. */
const batchLength = 256 * 1024

/** Values are written as text, and must be read the same way wherever the dump is restored. */
export const textSettings: ReadonlyArray<string> = [
  "set local statement_timeout = 0;",
  "set local idle_in_transaction_session_timeout = 0;",
  "set local standard_conforming_strings = on;",
  "set local datestyle = 'ISO, YMD';",
  "set local intervalstyle = 'postgres';",
  "set local timezone = 'UTC';",
  "set local bytea_output = 'hex';",
  "set local extra_float_digits = 3;"
]

/**
 * A row is a JSON array of texts, null where the column is. So JSON's own null, which is the text `null`, stays apart from
 * SQL's, and a row is one line whatever is in it.
 */
const rowsOf = (connection: PgConnection, { columns, name }: DumpTable): Stream.Stream<string, SqlError> =>
  connection
    .stream(
      `select array_to_json(array[${columns.map((column) => `${column}::text`).join(", ")}])::text as row from ${name}`
    )
    .pipe(Stream.map((row) => String(row["row"])))

const insert = ({ columns, conversions, name }: DumpTable, rows: ReadonlyArray<string>): string =>
  `insert into ${name} (${columns.join(", ")}) overriding system value select ${conversions.join(", ")} ` +
  `from json_array_elements('[${rows.join(",").replaceAll("'", "''")}]') r;`

const counted = (
  { name }: DumpTable,
  lines: Stream.Stream<string, SqlError>,
  rows: Map<string, number>
): Stream.Stream<string, SqlError> => {
  rows.set(name, 0)
  return Stream.map(lines, (line) => {
    rows.set(name, (rows.get(name) ?? 0) + 1)
    return line
  })
}

/** Gathers rows into statements of about {@link batchLength}. */
const statementsOf = (table: DumpTable, rows: Stream.Stream<string, SqlError>): Stream.Stream<string, SqlError> =>
  rows.pipe(
    Stream.mapAccum(
      (): Batch => ({ rows: [], length: 0 }),
      (batch: Batch, row): readonly [Batch, ReadonlyArray<string>] => {
        batch.rows.push(row)
        const length = batch.length + row.length
        return length < batchLength
          ? [{ rows: batch.rows, length }, []]
          : [{ rows: [], length: 0 }, [insert(table, batch.rows)]]
      },
      { onHalt: ({ rows }) => (rows.length === 0 ? [] : [insert(table, rows)]) }
    )
  )

/**
 * The data of every table of ours as SQL, a statement a line: what a database of the same schema needs to become this
 * one. Read it in one snapshot, with {@link textSettings} in force. Triggers are off and foreign keys away while it is
 * loaded, so that order does not matter and derived columns stay as they are. The tables' owner may do all of it.
 * `rows` gets the number of rows of each table, by its name as `quote_ident` gives it.
 */
export const dumpLines = (
  connection: PgConnection,
  head: DumpHead,
  rows: Map<string, number> = new Map()
): Stream.Stream<string, SqlError> =>
  Stream.unwrap(
    Effect.map(dumpCatalogue(connection), ({ foreignKeys, sequences, tables }) =>
      Stream.fromIterable([
        signature,
        encodeHead(head),
        "-- Restore it with `kinora restore`, or with psql into a database that `kinora migrate` of the same version has made.",
        String.raw`\set ON_ERROR_STOP on`,
        "begin;",
        ...textSettings,
        ...tables.map(({ name }) => `alter table ${name} disable trigger user;`),
        ...foreignKeys.map(({ drop }) => drop),
        ...tables.map(({ name }) => `delete from ${name};`)
      ]).pipe(
        Stream.concat(
          Stream.fromIterable(tables).pipe(
            Stream.flatMap((table) => statementsOf(table, counted(table, rowsOf(connection, table), rows)))
          )
        ),
        Stream.concat(
          Stream.fromIterable([
            ...sequences,
            ...foreignKeys.map(({ add }) => add),
            ...tables.map(({ name }) => `alter table ${name} enable trigger user;`),
            "commit;"
          ])
        )
      )
    )
  )
