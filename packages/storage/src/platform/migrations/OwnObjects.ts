import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * Functions, views and triggers that repeatable files made: `schema_object` names them, so that those of an operator are
 * never taken for ours.
 */
interface OwnObject {
  readonly kind: "function" | "view" | "trigger"
  readonly identity: string
}

/** Drops what the repeatable files made last, triggers first and functions last. */
export const dropOwnObjects = (sql: SqlClient) =>
  sql.unsafe(`do $kinora$
    declare
      one text;
    begin
      for one in select format('drop trigger if exists %s', identity) from schema_object where kind = 'trigger'
      loop
        execute one;
      end loop;
      for one in select format('drop view if exists %s', string_agg(identity, ', ')) from schema_object
        where kind = 'view' having count(*) > 0
      loop
        execute one;
      end loop;
      for one in select format('drop function if exists %s', string_agg(identity, ', ')) from schema_object
        where kind = 'function' having count(*) > 0
      loop
        execute one;
      end loop;
    end $kinora$`)

/** Every function, view and trigger there is, but those of extensions. */
export const presentObjects = (sql: SqlClient) => sql<OwnObject>`
  select 'function' as kind, p.oid::regprocedure::text as identity from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and not exists (
      select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
    )
  union all
  select 'view', c.oid::regclass::text from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'v' and not exists (
      select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
    )
  union all
  select 'trigger', format('%I on %s', t.tgname, t.tgrelid::regclass) from pg_trigger t
    join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace`

/** Writes down which objects there are now and were not before. */
export const recordOwnObjects = Effect.fn("OwnObjects.record")(function* (
  sql: SqlClient,
  before: ReadonlyArray<OwnObject>
) {
  const known = new Set(before.map((one) => `${one.kind} ${one.identity}`))
  const made = (yield* presentObjects(sql)).filter((one) => !known.has(`${one.kind} ${one.identity}`))
  yield* sql`delete from schema_object`
  yield* sql`insert into schema_object (kind, identity)
    select kind, identity from json_to_recordset(${JSON.stringify(made)}::json) as o (kind text, identity text)`
})
