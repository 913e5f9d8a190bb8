import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Takes back up to so many ratings of an account, which the caller's transaction has locked; answers how many those were. */
export const removeRates = Effect.fnUntraced(function* (sql: SqlClient, accountId: number, most: number) {
  const rated = yield* sql<{ id: number }>`
    select video_id as id from account_video_rate where account_id = ${accountId} order by video_id limit ${most}`
  const videos = rated.map(({ id }) => id)
  yield* sql`select 1 from video where id = any(${videos}::integer[]) order by id for no key update`
  yield* sql`
    with gone as (
      delete from account_video_rate where account_id = ${accountId} and video_id = any(${videos}::integer[])
      returning video_id, type
    )
    update video v set likes = v.likes - (g.type = 'like')::integer, dislikes = v.dislikes - (g.type = 'dislike')::integer
    from gone g where v.id = g.video_id`
  return videos.length
})
