import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Bytes a user's videos take, files and kept sources, in all and those of the last 24 hours; `reserved` by open uploads. */
export interface QuotaUsage {
  readonly used: number
  readonly usedDaily: number
  readonly reserved: number
}

/** Reads the usage of a user in the caller's transaction. `except` names an upload that is not counted as reserved. */
export const quotaUsage = Effect.fnUntraced(function* (sql: SqlClient, userId: number, except: string | null) {
  const rows = yield* sql<QuotaUsage>`
    with own as (
      select v.id, v.created_at > now() - interval '24 hours' as recent
      from video v join account a on a.id = v.account_id
      where a.user_id = ${userId} and not v.remote
    ), held as (
      select o.recent, f.size from own o join video_file f on f.video_id = o.id
      union all
      select o.recent, f.size from own o
        join streaming_playlist p on p.video_id = o.id join video_file f on f.streaming_playlist_id = p.id
      union all
      select o.recent, s.size from own o join video_source s on s.video_id = o.id where s.filename is not null
    )
    select
      coalesce((select sum(size) from held), 0)::bigint as used,
      coalesce((select sum(size) from held where recent), 0)::bigint as "usedDaily",
      coalesce((
        select sum(size) from upload_session
        where user_id = ${userId} and state <> 'done' and expires_at > now() and id is distinct from ${except}::text
      ), 0)::bigint as reserved
  `
  return rows[0]!
})
