import type { PgConnection } from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"

/** A table whose rows are dumped. All names as `quote_ident` gives them. */
export interface DumpTable {
  readonly name: string
  /** Columns that hold data: those the database computes are left out. */
  readonly columns: ReadonlyArray<string>
  /** The same as conversions of a JSON array of texts: `(r->>0)::integer`. */
  readonly conversions: ReadonlyArray<string>
}

/** A foreign key by the statements that drop it and make it again. */
interface ForeignKey {
  readonly drop: string
  readonly add: string
}

/** What a dump consists of besides rows. */
export interface DumpCatalogue {
  readonly tables: ReadonlyArray<DumpTable>
  readonly foreignKeys: ReadonlyArray<ForeignKey>
  /** `select setval(…);` for each sequence. */
  readonly sequences: ReadonlyArray<string>
}

const bookkeeping = "('schema_migration', 'schema_file', 'schema_object')"

const tableQuery = `
  select quote_ident(c.relname) as name, array_agg(quote_ident(a.attname) order by a.attnum) as columns,
    array_agg(format_type(a.atttypid, a.atttypmod) order by a.attnum) as types
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    and a.attgenerated = ''
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname not in ${bookkeeping}
    and not exists (
      select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
    )
  group by c.oid, c.relname order by c.relname`

// In the order they were made in: triggers of foreign keys run in it.
const foreignKeyQuery = `
  select format('alter table %I drop constraint %I;', c.relname, k.conname) as drop,
    format('alter table %I add constraint %I %s;', c.relname, k.conname, pg_get_constraintdef(k.oid)) as add
  from pg_constraint k join pg_class c on c.oid = k.conrelid
  where k.contype = 'f' and c.relnamespace = current_schema()::regnamespace order by k.oid`

const sequenceQuery = `
  select format('select setval(%L, %s, %L);', quote_ident(sequencename), coalesce(last_value, start_value),
    last_value is not null) as line
  from pg_sequences where schemaname = current_schema() order by sequencename`

/** Reads what there is to dump. */
export const dumpCatalogue = Effect.fn("DumpTables.catalogue")(function* (connection: PgConnection) {
  const tables = yield* connection.query(tableQuery)
  const foreignKeys = yield* connection.query(foreignKeyQuery)
  const sequences = yield* connection.query(sequenceQuery)
  return {
    tables: tables.rows.map((row): DumpTable => ({
      name: String(row["name"]),
      columns: row["columns"] as ReadonlyArray<string>,
      conversions: (row["types"] as ReadonlyArray<string>).map((type, index) => `(r->>${index})::${type}`)
    })),
    foreignKeys: foreignKeys.rows.map((row): ForeignKey => ({ drop: String(row["drop"]), add: String(row["add"]) })),
    sequences: sequences.rows.map((row) => String(row["line"]))
  } satisfies DumpCatalogue
})
