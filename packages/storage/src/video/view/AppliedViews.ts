import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * Adds the views of a video that were counted and not yet added, by one statement; answers how many. Views of a remote video are
 * marked instead: its own instance counts them, and the outbox sends them there.
 */
export const applyViews = (sql: SqlClient) => {
  // The video first, as who deletes it does; sessions that are being written have their turn next time.
  const apply = (videoId: number) => sql<{ added: number; remote: boolean }>`
    with owner as materialized (
      select id, remote from video where id = ${videoId} for no key update
    ), free as (
      select id from video_viewing
      where exists (select from owner) and video_id = ${videoId} and counted_at is not null and not applied
      for update skip locked
    ), counted as (
      update video_viewing v set applied = true from free f where v.id = f.id
      returning (v.counted_at at time zone 'UTC')::date as day
    ), daily as (
      insert into video_view_day (video_id, day, views)
      select o.id, c.day, count(*) from counted c, owner o where not o.remote group by o.id, c.day
      on conflict (video_id, day) do update set views = video_view_day.views + excluded.views
    ), total as (
      select o.id, o.remote, (select count(*)::integer from counted) as added from owner o
    ), summed as (
      update video v set views = v.views + t.added, trend_views = v.trend_views + t.added
      from total t where v.id = t.id and not t.remote and t.added > 0
    ), marked as materialized (
      select mark_change('view', id, jsonb_build_object('after', jsonb_build_object('views', added)))
      from total where remote and added > 0
    )
    select added, remote from total where (select count(*) from marked) >= 0`

  return Effect.fnUntraced(function* (videoId: number) {
    const [total] = yield* apply(videoId)
    if (total === undefined) return 0
    // Sessions that have ended are needed no longer: no statistics show remote videos.
    if (total.remote) yield* sql`delete from video_viewing where video_id = ${videoId} and viewer is null and applied`
    return total.added
  })
}
