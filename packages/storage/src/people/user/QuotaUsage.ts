import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Bytes of videos, files and kept sources: in total, and of those whose source arrived in the last 24 hours. */
export interface VideoBytes {
  readonly used: number
  readonly usedDaily: number
}

/** What counts against a user's quotas. `reserved` is for open uploads, which may count for more in the daily quota. */
export interface QuotaUsage extends VideoBytes {
  readonly reserved: number
  readonly reservedDaily: number
}

const reservationLock = 7_710_002

/**
 * Makes the caller's transaction wait for every other that checks a quota before using it. Must be taken before any row
 * is locked.
 */
export const lockQuotas = (sql: SqlClient) => sql`select pg_advisory_xact_lock(${reservationLock})`

/**
 * Table expressions `own (id, account_id, recent)`, the local videos `v` that match the condition, and `held
 * (account_id, recent, size)`, their files and kept sources.
 */
export const heldFiles = (sql: SqlClient, condition: Fragment) => sql`
  own as (
    select v.id, v.account_id,
      greatest(v.created_at, v.input_file_updated_at) > now() - interval '24 hours' as recent
    from video v where ${condition} and not v.remote
  ), held as (
    select o.account_id, o.recent, f.size from own o join video_file f on f.video_id = o.id
    union all
    select o.account_id, o.recent, f.size from own o
      join streaming_playlist p on p.video_id = o.id join video_file f on f.streaming_playlist_id = p.id
    union all
    select o.account_id, o.recent, s.size from own o join video_source s on s.video_id = o.id where s.filename is not null
  )`

const sums = (sql: SqlClient) => sql`
  coalesce((select sum(size) from held), 0)::bigint as used,
  coalesce((select sum(size) from held where recent), 0)::bigint as "usedDaily"`

/** Bytes of the local videos `v` that match the condition. */
export const videoBytes = Effect.fnUntraced(function* (sql: SqlClient, condition: Fragment) {
  const rows = yield* sql<VideoBytes>`with ${heldFiles(sql, condition)} select ${sums(sql)}`
  return rows[0]!
})

/** Reads the usage of a user in the caller's transaction. `except` is an upload whose reservation is not counted. */
export const quotaUsage = Effect.fnUntraced(function* (sql: SqlClient, userId: number, except: string | null) {
  const rows = yield* sql<QuotaUsage>`
    with ${heldFiles(sql, sql`v.account_id = (select id from account where user_id = ${userId})`)}, due as (
      select greatest(u.size - u.released, 0) as size,
        case when greatest(v.created_at, v.input_file_updated_at) > now() - interval '24 hours'
          then greatest(u.size - u.released, 0) else u.size end as daily
      from upload_session u left join video v on v.id = u.video_id
      where u.payer_id = ${userId} and u.state <> 'done' and u.expires_at > now() and u.id is distinct from ${except}::text
    )
    select ${sums(sql)}, coalesce((select sum(size) from due), 0)::bigint as reserved,
      coalesce((select sum(daily) from due), 0)::bigint as "reservedDaily"
  `
  return rows[0]!
})
