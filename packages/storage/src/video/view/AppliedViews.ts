import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Adds the views of a video that were counted and not yet added, in a transaction of its own; answers how many. */
export const applyViews = (sql: SqlClient) => {
  /** Sessions that are being written have their turn next time. */
  const counted = (videoId: number) => sql`
    with free as (
      select id from video_viewing where video_id = ${videoId} and counted_at is not null and not applied
      for update skip locked
    ), counted as (
      update video_viewing v set applied = true from free f where v.id = f.id
      returning (v.counted_at at time zone 'UTC')::date as day
    )`

  const ofOurs = Effect.fnUntraced(function* (videoId: number) {
    const [row] = yield* sql<{ added: number }>`
      ${counted(videoId)}, daily as (
        insert into video_view_day (video_id, day, views)
        select ${videoId}::integer, day, count(*) from counted group by day
        on conflict (video_id, day) do update set views = video_view_day.views + excluded.views
      )
      select count(*)::integer as added from counted`
    const { added } = row!
    if (added > 0) {
      yield* sql`update video set views = views + ${added}, trend_views = trend_views + ${added} where id = ${videoId}`
    }
    return added
  })

  /** The video's own instance counts them: the outbox sends them there. */
  const ofOthers = Effect.fnUntraced(function* (videoId: number) {
    const [row] = yield* sql<{ added: number }>`${counted(videoId)} select count(*)::integer as added from counted`
    const { added } = row!
    if (added > 0) {
      yield* sql`
        select mark_change('view', ${videoId}::integer,
          jsonb_build_object('after', jsonb_build_object('views', ${added}::integer)))`
    }
    yield* sql`delete from video_viewing where video_id = ${videoId} and viewer is null and applied`
    return added
  })

  return Effect.fnUntraced(function* (videoId: number) {
    // The video first, as who deletes it does.
    const [video] = yield* sql<{ remote: boolean }>`select remote from video where id = ${videoId} for no key update`
    return video?.remote === true ? yield* ofOthers(videoId) : yield* ofOurs(videoId)
  }, sql.withTransaction)
}
