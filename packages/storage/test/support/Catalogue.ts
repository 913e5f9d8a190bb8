import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Everything the schema consists of, as PostgreSQL writes it down, one line a thing; what extensions bring is left out. That
 * a column may not be null is said with the column: older servers have no constraint of a name for it.
 */
const statement = `
  with ours as (
    select c.* from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and c.relname not in ('schema_migration', 'schema_migration_pkey', 'schema_file', 'schema_file_pkey', 'schema_object',
        'schema_object_pkey')
      and not exists (
        select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
      )
  )
  select line from (
    select format('extension %s', extname) as line from pg_extension
    union all
    select format('table %s kind %s persistence %s options %s', relname, relkind, relpersistence, reloptions)
      from ours where relkind in ('r', 'v', 'p', 'm')
    union all
    select format('column %s.%s %s: %s collation %s, not null %s, default %s, identity %s, generated %s, storage %s, %s',
        c.relname, (select count(*) from pg_attribute b where b.attrelid = c.oid and b.attnum between 1 and a.attnum
          and not b.attisdropped), a.attname, format_type(a.atttypid, a.atttypmod), nullif(a.attcollation, t.typcollation)::regcollation,
        a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attgenerated, a.attstorage, a.attoptions)
      from ours c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        join pg_type t on t.oid = a.atttypid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relkind in ('r', 'v', 'p', 'm')
    union all
    select format('index %s: %s', relname, pg_get_indexdef(oid)) from ours where relkind = 'i'
    union all
    select format('sequence %s: %s', c.relname, to_jsonb(s) - 'seqrelid')
      from ours c join pg_sequence s on s.seqrelid = c.oid
    union all
    select format('constraint %s.%s: %s', c.relname, n.conname, pg_get_constraintdef(n.oid))
      from ours c join pg_constraint n on n.conrelid = c.oid and n.contype not in ('n', 't')
    union all
    select format('view %s: %s', relname, pg_get_viewdef(oid)) from ours where relkind = 'v'
    union all
    select format('trigger %s.%s (%s): %s', c.relname, g.tgname, g.tgenabled, pg_get_triggerdef(g.oid))
      from ours c join pg_trigger g on g.tgrelid = c.oid where not g.tgisinternal
    union all
    select format('function %s: %s', p.oid::regprocedure, pg_get_functiondef(p.oid)) from pg_proc p
      where p.pronamespace = 'public'::regnamespace and not exists (
        select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      )
    union all
    select format('type %s %s', typname, typtype) from pg_type t
      where typnamespace = 'public'::regnamespace and typtype in ('d', 'e', 'r') and not exists (
        select 1 from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e'
      )
  ) catalogue order by line collate "C"`

/** The schema of a database, to compare it with that of another one. */
export const catalogue: Effect.Effect<ReadonlyArray<string>, never, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  return (yield* sql.unsafe<{ line: string }>(statement)).map((row) => row.line)
}).pipe(Effect.orDie)
