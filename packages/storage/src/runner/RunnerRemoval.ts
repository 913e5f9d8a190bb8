import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { jobEnds } from "./JobEnds.ts"

/**
 * Removes the runners `r` that meet a condition, in the caller's transaction: the jobs they hold are pending again, and their sockets
 * are closed. Answers how many.
 */
export const removeRunners = (sql: SqlClient) => {
  const { handBack } = jobEnds(sql)
  return Effect.fnUntraced(function* (condition: Fragment) {
    // Whoever accepts a job as one of them at this moment is waited for, and seen by the next statement.
    const runners = yield* sql<{ id: number }>`select r.id from runner r where ${condition} order by r.id for update`
    const ids = runners.map(({ id }) => id)
    const held = yield* sql<{ id: number }>`
      select id from runner_job where runner_id = any(${ids}::integer[]) and state = 2 order by id`
    for (const { id } of held) {
      yield* handBack({ id, tokenHash: null, failed: false, words: null, maxFailures: 0 })
    }
    yield* sql`delete from runner where id = any(${ids}::integer[])`
    yield* sql`select pg_notify('runner_job', id::text) from unnest(${ids}::integer[]) id`
    return ids.length
  })
}
