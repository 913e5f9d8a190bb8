import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

export interface MailRow {
  readonly id: number
  readonly state: string
  readonly attempts: number
  readonly error: string | null
  readonly payload: Record<string, unknown>
  /** Every column, as somebody who reads the database sees them. */
  readonly everything: string
}

/** The newest mail on the board. */
export const newestMail = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<MailRow>`
    select id, state, attempts, error, payload, job::text as everything from job where type = 'email'
    order by id desc limit 1`
  return rows[0] ?? (yield* Effect.die("no mail on the board"))
})

/** The newest mail, as soon as it is in this state. Ends with the time limit of the test. */
export const mailIn = (state: string) =>
  newestMail.pipe(
    Effect.flatMap((row) => (row.state === state ? Effect.succeed(row) : Effect.fail(row))),
    Effect.retry({ schedule: Schedule.spaced("20 millis") }),
    Effect.orDie
  )

/** Lets every waiting mail be due now. */
export const hurry = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`update job set run_at = now() where type = 'email' and state = 'delayed'`
  yield* sql`select pg_notify('job', 'email')`
})
