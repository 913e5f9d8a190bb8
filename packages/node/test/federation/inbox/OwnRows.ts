import { hostOf, originOf } from "@kinora/federation/authority/Authority"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

type Row = Readonly<Record<string, unknown>>

/** Rows of one table by their primary key. */
type Rows = ReadonlyMap<string, Row>

export interface Snapshot {
  readonly tables: ReadonlyMap<string, Rows>
  /** Host an address, an actor, a video … belongs to; "ours" for what is this instance's own. */
  readonly ownerOf: (table: string, row: Row) => string
}

/** When something of others was read from them, which whom we follow may have us do. */
const readAt: ReadonlySet<string> = new Set(["fetched_at"])

/** What is made anew from other tables, and the inbox itself. */
const passing: ReadonlySet<string> = new Set([
  ...["inbox_activity", "delivery_host", "job", "job_dependency", "search_word", "search_word_change"],
  ...["video_count", "video_count_change", "feed_version", "block_version", "owner_total", "video_total"],
  ...["actor_read_model", "video_read_model", "comment_page", "channel_document", "playlist_document", "video_document"]
])

/** Columns that name what a row belongs to, the first that is set decides. */
const owners: ReadonlyArray<readonly [column: string, table: string]> = [
  // A report is of who reports.
  ["reporter_account_id", "account"],
  ["actor_id", "actor"],
  ["account_id", "account"],
  ["owner_account_id", "account"],
  ["comment_id", "video_comment"],
  ["channel_id", "video_channel"],
  ["video_id", "video"],
  ["playlist_id", "video_playlist"],
  ["video_playlist_id", "video_playlist"],
  ["streaming_playlist_id", "streaming_playlist"],
  ["server_id", "server"]
]

/** Whose address it is; of these tables alone, since elsewhere it may be the address of an activity. */
const addressed: ReadonlySet<string> = new Set(["actor", "comment_gone", "video", "video_comment", "video_playlist"])

const keysOf = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ name: string; keys: ReadonlyArray<string> }>`
    select c.relname as name, coalesce(array_agg(a.attname::text order by a.attnum) filter (where a.attname is not null), '{}') as keys
    from pg_class c
      left join pg_index i on i.indrelid = c.oid and i.indisprimary
      left join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by c.relname order by 1`
  return rows.filter(({ name }) => !passing.has(name))
})

/** Every row of the database, and to whom it belongs. `ours` is our own origin. */
export const snapshot = Effect.fnUntraced(function* (ours: string) {
  const sql = yield* SqlClient
  const tables = new Map<string, Rows>()
  for (const { keys, name } of yield* keysOf) {
    const rows = yield* sql<{ row: Row }>`select to_jsonb(t) as row from ${sql(name)} t`
    const keyed = rows.map(
      ({ row }) => [JSON.stringify(keys.length > 0 ? keys.map((key) => row[key]) : row), row] as const
    )
    tables.set(name, new Map(keyed))
  }
  const ownerOf = (table: string, row: Row): string => {
    if (table === "server" || table === "remote_viewers" || table === "remote_counting") return String(row["host"])
    // What they said is sent on as it came.
    if (table === "activity" && row["forwarded"] === true) return hostOf(String(row["uri"]))
    const { url } = row
    if (addressed.has(table) && typeof url === "string" && url !== "") {
      if (originOf(url) === ours) return "ours"
      return originOf(url) === null ? "ours" : hostOf(url)
    }
    // A report outlives who sent it.
    if (table === "abuse" && row["reporter_account_id"] === null && url !== null) return hostOf(String(url))
    // Whether one of ours follows them is for them to say.
    const following =
      table === "actor_follow" ? tables.get("actor")!.get(JSON.stringify([row["target_actor_id"]])) : undefined
    if (following !== undefined && ownerOf("actor", following) !== "ours") return ownerOf("actor", following)
    for (const [column, of] of owners) {
      const id = row[column]
      if (id === null || id === undefined) continue
      const owner = tables.get(of)?.get(JSON.stringify([id]))
      if (owner !== undefined && of !== table) return ownerOf(of, owner)
    }
    return "ours"
  }
  return { tables, ownerOf } satisfies Snapshot
})

export interface Difference {
  readonly table: string
  readonly owner: string
  readonly what: "new" | "gone" | "changed"
  /** Names of the columns, of what has changed. */
  readonly columns: ReadonlyArray<string>
  readonly before: Row | undefined
  readonly after: Row | undefined
}

/** What is otherwise, and to whom it belonged, or belongs when it is new. */
export const differences = (before: Snapshot, after: Snapshot): ReadonlyArray<Difference> =>
  [...after.tables].flatMap(([table, rows]) => {
    const former = before.tables.get(table)!
    const found: Array<Difference> = []
    for (const [key, row] of rows) {
      const was = former.get(key)
      if (was === undefined) {
        const owner = after.ownerOf(table, row)
        found.push({ table, owner, what: "new", columns: [], before: undefined, after: row })
        continue
      }
      const columns = Object.keys(row).filter(
        (name) => !readAt.has(name) && JSON.stringify(row[name]) !== JSON.stringify(was[name])
      )
      if (columns.length === 0) continue
      found.push({ table, owner: before.ownerOf(table, was), what: "changed", columns, before: was, after: row })
    }
    for (const [key, was] of former) {
      if (rows.has(key)) continue
      found.push({ table, owner: before.ownerOf(table, was), what: "gone", columns: [], before: was, after: undefined })
    }
    return found
  })

/** Rows that one origin calls its own and that are attributed to another: there must be none. */
export const stolen = ({ ownerOf, tables }: Snapshot): ReadonlyArray<string> => {
  const parts: ReadonlyArray<readonly [table: string, column: string, of: string]> = [
    ["account", "actor_id", "actor"],
    ["video_channel", "actor_id", "actor"],
    ["video_channel", "account_id", "account"],
    ["video", "account_id", "account"],
    ["video", "channel_id", "video_channel"],
    ["video_comment", "account_id", "account"],
    ["video_playlist", "owner_account_id", "account"],
    ["video_playlist", "channel_id", "video_channel"],
    ["actor_key", "actor_id", "actor"]
  ]
  return parts.flatMap(([table, column, of]) =>
    [...tables.get(table)!.values()].flatMap((row) => {
      const owner = tables.get(of)!.get(JSON.stringify([row[column]]))
      const whose = table === "actor_key" ? hostOf(String(row["key_id"])) : ownerOf(table, row)
      return owner === undefined || ownerOf(of, owner) === whose
        ? []
        : [`${table} ${JSON.stringify(row)} of ${whose} belongs to ${ownerOf(of, owner)}`]
    })
  )
}
