import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { JobBoard } from "../../platform/jobs/JobBoard.ts"

/** Type of the jobs that match what was said and published again. */
export const retagJobType = "automatic-tags"

/** What such a job is about. It does nothing once the account's words are others than those. */
export interface Retagging {
  readonly accountId: number
  readonly version: string
}

/** How many workers may die at one. */
const maxCrashes = 5

/** Behind everything that somebody waits for. */
const priority = 300

/**
 * Says, in the transaction of a change, that the words of an account are others now: nodes make theirs ready anew, and a job
 * matches again what there is.
 */
export const rulesChanged = Effect.fnUntraced(function* (
  sql: SqlClient,
  jobs: Pick<JobBoard["Service"], "enqueue">,
  accountId: number
) {
  const [row] = yield* sql<{ version: string }>`
    insert into watched_words_version (account_id) values (${accountId})
    on conflict (account_id) do update set version = gen_random_uuid() returning version::text as version`
  const payload: Retagging = { accountId, version: row!.version }
  yield* jobs.enqueue({ type: retagJobType, payload, priority, maxAttempts: maxCrashes })
})

/** The time of the database, to ask by whether others are settled. */
export const momentOf = (sql: SqlClient) =>
  Effect.map(sql<{ now: string }>`select clock_timestamp()::text as now`, (rows) => rows[0]!.now)

/** Whether no transaction is running that began before a moment: it may have read the former words. */
export const areOthersSettled = (sql: SqlClient, moment: string) =>
  Effect.map(
    sql<{ settled: boolean }>`
      select not exists (
        select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and xact_start < ${moment}::text::timestamptz
      ) as settled`,
    (rows) => rows[0]!.settled
  )
