import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The instance was installed under another URL than the configured one. `message` says what to do. */
export class OriginChanged extends Data.TaggedError("OriginChanged")<{ readonly message: string }> {}

/** The public URL of an installed instance. Undefined before installation. */
const knownOrigin = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ origin: string }>`
    select value #>> '{}' as origin from instance_setting
    where key = 'origin' and exists (select 1 from actor where server_id is null)`
  return rows[0]?.origin
})

/** How a column has URLs: one, an array of them, or JSON that may contain several. */
type Kind = "address" | "addresses" | "json"

/** Columns that have URLs. */
const addressColumns = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql<{ table: string; column: string; kind: Kind }>`
    select c.table_name as table, c.column_name as column,
      case c.data_type when 'jsonb' then 'json' when 'ARRAY' then 'addresses' else 'address' end as kind
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
      and (c.data_type = 'text' and c.column_name ~ '(^|_)(url|uri)$'
        or c.data_type = 'text' and (c.table_name, c.column_name) in
          (('activity', 'sender'), ('activity', 'thing'), ('inbox_activity', 'object'))
        or c.data_type = 'ARRAY' and c.udt_name = '_text'
        or c.data_type = 'jsonb' and c.table_name <> 'instance_setting')
    order by 1, 2`
})

/** Changes every URL below `from` to the same one below `to`. Read models that contain URLs are invalidated. */
const rename = Effect.fn("Origin.rename")(function* (from: string, to: string) {
  const sql = yield* SqlClient
  yield* sql`set local statement_timeout = 0`
  // The signature over the text of an activity would not hold any more: it is signed again before it is sent. What is sent on
  // for others stays as they signed it.
  yield* sql`update activity set document = null where not forwarded and document is not null`
  for (const { column, kind, table } of yield* addressColumns) {
    const [target, name] = [sql(table), sql(column)]
    if (kind === "address") {
      yield* sql`update ${target} set ${name} = ${to}::text || substr(${name}, ${from.length + 1})
        where ${name} = ${from} or starts_with(${name}, ${`${from}/`})`
    } else if (kind === "addresses") {
      yield* sql`update ${target} set ${name} = (
          select array_agg(case when one = ${from} or starts_with(one, ${`${from}/`})
            then ${to}::text || substr(one, ${from.length + 1}) else one end order by place)
          from unnest(${name}) with ordinality as u (one, place))
        where exists (select from unnest(${name}) as one where one = ${from} or starts_with(one, ${`${from}/`}))`
    } else {
      // Only JSON strings that begin with the URL: URLs in the middle of users' text are left alone.
      yield* sql`update ${target}
        set ${name} = replace(replace(${name}::text, ${`"${from}/`}, ${`"${to}/`}), ${`"${from}"`}, ${`"${to}"`})::jsonb
        where strpos(${name}::text, ${`"${from}/`}) > 0 or strpos(${name}::text, ${`"${from}"`}) > 0`
    }
  }
  yield* sql`update video_read_model set object = null`
  yield* sql`update comment_page set form = null`
  yield* sql`update instance_setting set value = to_jsonb(${to}::text), updated_at = now() where key = 'origin'`
  // The texts used for reads are built from it. Preparing it again invalidates the cached texts of this version.
  yield* sql`delete from instance_setting where key = 'read-models'`
})

/**
 * Binds the instance to one public URL: other instances know everything on it by URLs below that. If another one is
 * configured, fails with `OriginChanged`; with `allowed`, changes all URLs of the instance in one transaction. Returns
 * true if it did.
 */
export const settleOrigin = Effect.fn("Origin.settle")(function* (origin: string, allowed: boolean) {
  const sql = yield* SqlClient
  const known = yield* knownOrigin
  if (known === undefined || known === origin) return false
  if (!allowed) {
    return yield* new OriginChanged({
      message:
        `This instance is known as ${known}, but the configuration says ${origin} (webserver.*). Other instances know ` +
        "its channels and videos by the former address and would lose them. Set webserver.* back, or start once with " +
        "`serve --rename-host` to change every address."
    })
  }
  yield* sql.withTransaction(rename(known, origin))
  return true
})
