import { Effect, Stream } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** Names as `quote_ident` gives them; columns without those the database makes itself. */
interface Table {
  readonly name: string
  readonly columns: string
}

/** Text that stands in a format string in quotes. */
const quoted = (text: string): string => text.replaceAll("'", "''").replaceAll("%", "%%")

const tableLines = (sql: SqlClient, { columns, name }: Table): Stream.Stream<string, SqlError> =>
  sql
    .unsafe<{ line: string }>(
      `select format(
       'insert into ${quoted(name)} (${quoted(columns)}) overriding system value'
       ' select ${quoted(columns)} from json_populate_record(null::${quoted(name)}, %L);',
       row_to_json(t)::text
     ) as line from (select ${columns} from ${name}) t`
    )
    .stream.pipe(Stream.map((row) => row.line))

/**
 * The data of every table of ours as INSERT statements, and the positions of the id sequences: what a database of the
 * same schema needs to become this one. Read in one snapshot; the triggers are off while it is loaded, so that order
 * and derived columns do not matter.
 */
export const dumpLines = (sql: SqlClient): Stream.Stream<string, SqlError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const tables = yield* sql<Table>`
        select quote_ident(c.relname) as name, (
          select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        ) as columns
        from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
          and c.relname not in ('schema_migration', 'schema_file', 'schema_object')
        order by c.relname`
      const sequences = yield* sql<{ line: string }>`
        select format('select setval(%L, %s, %L);', format('%I.%I', schemaname, sequencename),
          coalesce(last_value, start_value), last_value is not null) as line
        from pg_sequences where schemaname = 'public'`
      return Stream.fromIterable(["begin;", "set session_replication_role = replica;"]).pipe(
        Stream.concat(Stream.fromIterable(tables).pipe(Stream.map((table) => `delete from ${table.name};`))),
        Stream.concat(Stream.fromIterable(tables).pipe(Stream.flatMap((table) => tableLines(sql, table)))),
        Stream.concat(Stream.fromIterable(sequences.map((row) => row.line))),
        Stream.concat(Stream.fromIterable(["commit;"]))
      )
    })
  )
