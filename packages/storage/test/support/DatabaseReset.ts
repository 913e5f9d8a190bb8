import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** What a database is right after it was copied from the template. */
export interface Pristine {
  readonly shape: string
  readonly seeds: ReadonlyArray<Seed>
}

/** A table that migrations have filled. */
interface Seed {
  readonly table: string
  readonly rows: string
}

/** A database with a larger table is not worth emptying: its pages would stay. */
const mostBytes = 1024 ** 2

/** Which version every object of the schema has: any change of it, also one taken back, is another shape. */
const shape = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ shape: string }>`
    with relation as materialized (select oid, xmin from pg_class where relnamespace = 'public'::regnamespace)
    select md5(string_agg(part, ',' order by part)) as shape from (
      select concat_ws(' ', 'class', oid, xmin) from relation
      union all select concat_ws(' ', 'column', attrelid, attnum, a.xmin)
        from pg_attribute a join relation on attrelid = relation.oid
      union all select concat_ws(' ', 'default', d.oid, d.xmin) from pg_attrdef d join relation on adrelid = relation.oid
      union all select concat_ws(' ', 'index', indexrelid, i.xmin) from pg_index i join relation on indexrelid = relation.oid
      union all select concat_ws(' ', 'trigger', t.oid, t.xmin) from pg_trigger t join relation on tgrelid = relation.oid
      union all select concat_ws(' ', 'rule', r.oid, r.xmin) from pg_rewrite r join relation on ev_class = relation.oid
      union all select concat_ws(' ', 'constraint', oid, xmin) from pg_constraint where connamespace = 'public'::regnamespace
      union all select concat_ws(' ', 'function', oid, xmin) from pg_proc where pronamespace = 'public'::regnamespace
      union all select concat_ws(' ', 'type', oid, xmin) from pg_type where typnamespace = 'public'::regnamespace
      union all select concat_ws(' ', 'schema', oid, xmin) from pg_namespace where nspname !~ '^pg_(temp|toast_temp)'
    ) as parts (part)`
  return row!.shape
})

/** Notes what a new database is, to tell later whether it was changed. */
export const pristine = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = yield* sql<{ name: string }>`
    select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
  const seeds: Array<Seed> = []
  for (const { name } of tables) {
    const [row] = yield* sql.unsafe<{ rows: string | null }>(`select json_agg(t)::text as rows from ${name} t`)
    if (row!.rows !== null) seeds.push({ table: name, rows: row!.rows })
  }
  return { shape: yield* shape, seeds } satisfies Pristine
})

/** Connections that a suite left open would write on. */
const alone = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql<{ pid: number }>`
    select pid, pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`.pipe(
    Effect.repeat({ until: (rows) => rows.length === 0, schedule: Schedule.spaced("5 millis") }),
    Effect.timeout("10 seconds")
  )
})

const emptied = Effect.fnUntraced(function* (seeds: ReadonlyArray<Seed>) {
  const sql = yield* SqlClient
  // Neither triggers nor foreign keys act.
  yield* sql`set local session_replication_role = replica`
  yield* sql`
    do $$
    declare
      name text;
    begin
      for name in select oid::regclass from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' loop
        execute 'delete from ' || name;
      end loop;
      perform setval(format('%I.%I', schemaname, sequencename), start_value, false)
      from pg_sequences where schemaname = 'public' and last_value is not null;
      -- Statistics say how large tables were.
      delete from pg_statistic where starelid in (select oid from pg_class where relnamespace = 'public'::regnamespace);
    end $$`
  for (const { rows, table } of seeds) {
    yield* sql.unsafe(
      `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1::json)`,
      [rows]
    )
  }
})

/**
 * Gives a database back what its template holds, so that the next suite can have it: copying the template takes the
 * kernel a quarter of a second. False, when the schema was changed or a table is large.
 */
export const reset = Effect.fnUntraced(function* ({ seeds, shape: before }: Pristine) {
  const sql = yield* SqlClient
  yield* alone
  const [largest] = yield* sql<{ bytes: number }>`
    select max(pg_relation_size(oid))::float8 as bytes from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`
  if (largest!.bytes > mostBytes || (yield* shape) !== before) return false
  yield* sql.withTransaction(emptied(seeds))
  return true
})
