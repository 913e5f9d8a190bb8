import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { makeActorTexts } from "../../people/actor/ActorTexts.ts"
import { makeVideoTexts } from "./VideoTexts.ts"

// Each transaction locks the rows first and reads what texts are made of in later statements. A change of that updates the
// row of the text, even where it is void already. So it either is seen here, or waits and voids what is written here: no
// text older than the last change stays. Nodes share the work: locked rows are passed by.

const keepVideos = Effect.fnUntraced(function* (sql: SqlClient, limit: number) {
  const missing = yield* sql<{ id: number }>`
    select video_id as id from video_read_model where summary is null or details is null limit ${limit} for update skip locked`
  if (missing.length === 0) return 0
  const made = yield* makeVideoTexts(
    sql,
    missing.map(({ id }) => id)
  )
  yield* sql`
    update video_read_model w set summary = m.summary, details = m.details
    from unnest(${made.map(({ id }) => id)}::int[], ${made.map(({ summary }) => summary)}::text[],
      ${made.map(({ details }) => details)}::text[]) m (id, summary, details)
    where w.video_id = m.id`
  return missing.length
})

const keepActors = Effect.fnUntraced(function* (sql: SqlClient, limit: number) {
  const missing = yield* sql<{ id: number }>`
    select actor_id as id from actor_read_model where text is null limit ${limit} for update skip locked`
  if (missing.length === 0) return 0
  const made = yield* makeActorTexts(
    sql,
    missing.map(({ id }) => id)
  )
  yield* sql`
    update actor_read_model w set text = m.text
    from unnest(${[...made.keys()]}::int[], ${[...made.values()]}::text[]) m (id, text) where w.actor_id = m.id`
  return missing.length
})

/** Videos or actors of one transaction: their rows are in memory together. */
const batch = 50

/** Makes and keeps up to `limit` missing texts of videos and as many of actors; answers of how many. */
export const fillReadModels = Effect.fnUntraced(function* (sql: SqlClient, limit: number) {
  let filled = 0
  for (const keep of [keepVideos, keepActors]) {
    for (let left = limit; left > 0; left -= batch) {
      const made = yield* sql.withTransaction(keep(sql, Math.min(left, batch)))
      filled += made
      if (made < Math.min(left, batch)) break
    }
  }
  return filled
})
