import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

// Triggers write changes of totals as rows (sql/video/functions/totals.sql); here they are added up.

const kinds = "language, category, licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos"

/** Adds up changes of totals, so that a total is a few rows to read. */
export const compactVideoTotals = (sql: SqlClient) => sql`
  with gone as (delete from video_total returning *)
  insert into video_total (visible, nsfw, remote, change)
  select visible, nsfw, remote, sum(change) from gone group by 1, 2, 3`

/** Adds up what there is of accounts that changed often. */
export const compactOwnerTotals = (sql: SqlClient) => sql`
  with gone as (
    delete from owner_total
    where account_id in (select account_id from owner_total group by account_id having count(*) > 8)
    returning *
  )
  insert into owner_total
  select account_id, server_id, visible, nsfw, remote, sum(change) from gone group by 1, 2, 3, 4, 5 having sum(change) <> 0`

/** Adds up to so many changes of counts by kind, where there are any; answers of how many. */
export const compactVideoCounts = (sql: SqlClient) => {
  const columns = sql.literal(kinds)
  return Effect.fnUntraced(function* (atMost: number) {
    const [row] = yield* sql<{ added: number }>`
      with gone as (
        delete from video_count_change where ctid = any(array(
          select ctid from video_count_change limit ${atMost} for update skip locked
        ))
        returning *
      ), summed as (
        insert into video_count as c (${columns}, count)
        select ${columns}, sum(change) from gone group by ${columns} having sum(change) <> 0 order by ${columns}
        on conflict (${columns}) do update set count = c.count + excluded.count
      )
      select count(*)::integer as added from gone`
    // A kind whose last was taken in before its first waits below nothing for that.
    if (row!.added > 0) yield* sql`delete from video_count where count = 0`
    return row!.added
  }, sql.withTransaction)
}
