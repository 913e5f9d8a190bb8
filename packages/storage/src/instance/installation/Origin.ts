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

/** Columns with one URL each, and JSON columns that may contain several. */
const addressColumns = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql<{ table: string; column: string; kind: "address" | "json" | "text" }>`
    select c.table_name as table, c.column_name as column,
      case when c.data_type = 'jsonb' then 'json'
        when c.column_name = 'document' then 'text' else 'address' end as kind
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
      and (c.data_type = 'text' and c.column_name ~ '(^|_)(url|uri)$'
        or c.data_type = 'text' and c.table_name = 'activity' and c.column_name = 'document'
        or c.data_type = 'jsonb' and c.table_name not in ('inbox_activity', 'instance_setting'))
    order by 1, 2`
})

/** Changes every URL below `from` to the same one below `to`. Read models that contain URLs are invalidated. */
const rename = Effect.fn("Origin.rename")(function* (from: string, to: string) {
  const sql = yield* SqlClient
  yield* sql`set local statement_timeout = 0`
  for (const { column, kind, table } of yield* addressColumns) {
    const [target, name] = [sql(table), sql(column)]
    if (kind === "address") {
      yield* sql`update ${target} set ${name} = ${to}::text || substr(${name}, ${from.length + 1})
        where ${name} = ${from} or starts_with(${name}, ${`${from}/`})`
      continue
    }
    // Only JSON strings that begin with the URL: URLs in the middle of users' text are left alone.
    const [before, after] = [`"${from}/`, `"${to}/`]
    yield* kind === "json"
      ? sql`update ${target} set ${name} = replace(${name}::text, ${before}, ${after})::jsonb
          where strpos(${name}::text, ${before}) > 0`
      : sql`update ${target} set ${name} = replace(${name}, ${before}, ${after}) where strpos(${name}, ${before}) > 0`
  }
  yield* sql`update video_read_model set object = null`
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
