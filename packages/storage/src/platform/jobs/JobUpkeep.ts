import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../database/DatabaseErrors.ts"
import { countAttempt } from "./AttemptMetrics.ts"

/** Upkeep of the job board. */
export class JobUpkeep extends Context.Service<
  JobUpkeep,
  {
    /**
     * Returns jobs with an expired lease to the board, from the second time on after a pause, or fails them if their attempts
     * are used up. Returns how many. With `owner`, every job that this owner still holds: a node calls it on start for the
     * jobs of its former process.
     */
    expireLeases(owner?: string): Effect.Effect<number, DatabaseUnavailable>
    /** From here on no job is given out on any node, until `resume`. Running jobs continue. */
    readonly pause: Effect.Effect<void, DatabaseUnavailable>
    /** Lets jobs start again, and notifies the workers. */
    readonly resume: Effect.Effect<void, DatabaseUnavailable>
    readonly isPaused: Effect.Effect<boolean, DatabaseUnavailable>
    /**
     * Deletes jobs that ended more than this many days ago and that nothing depends on. Returns how many. The last job of a
     * video stays if it failed: it says why, and goes with its video.
     */
    removeEnded(olderThanDays: number): Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/jobs/JobUpkeep") {
  static readonly layer = Layer.effect(
    JobUpkeep,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const expireLeases = Effect.fn("JobUpkeep.expireLeases")(function* (owner?: string) {
        // At once after a first crash, which may be anybody's. A job that goes on to end its node leaves it time for others.
        const crashBackoff = sql`case when attempts <= 1 then interval '0'
          else least(1800, 15 * 2 ^ (attempts - 2)) * interval '1 second' end`
        const due = owner === undefined ? sql`lease_until < now()` : sql`lease_owner = ${owner}`
        const rows = yield* sql<{ type: string }>`
            update job set
              state = case when attempts >= max_attempts then 'failed' when attempts <= 1 then 'waiting' else 'delayed' end,
              finished_at = case when attempts >= max_attempts then now() end,
              error = format('The worker %s stopped reporting in attempt %s of %s%s', lease_owner, attempts, max_attempts,
                coalesce('; before that: ' || left(error, 500), '')),
              run_at = now() + ${crashBackoff}, updated_at = now(), progress = null,
              lease_owner = null, lease_token = null, lease_until = null
            where id in (select id from job where state = 'active' and ${due} order by id for update skip locked)
            returning type`
        for (const { type } of rows) yield* countAttempt(type, "lost")
        return rows.length
      }, withDatabaseErrors)

      const removeEnded = Effect.fn("JobUpkeep.removeEnded")(function* (olderThanDays: number) {
        const rows = yield* sql`
            delete from job j where state in ('completed', 'failed', 'cancelled')
              and finished_at < now() - ${olderThanDays} * interval '1 day'
              and not exists (
                select 1 from job_dependency d join job w on w.id = d.job_id
                where d.depends_on = j.id and w.state = 'waiting-children')
              and not (state = 'failed' and video_id is not null and not exists (
                select 1 from job l where l.video_id = j.video_id and l.id > j.id))
            returning id`
        return rows.length
      }, withDatabaseErrors)

      const pause = withDatabaseErrors(Effect.asVoid(sql`insert into job_pause default values on conflict do nothing`))
      const resume = withDatabaseErrors(Effect.asVoid(sql`delete from job_pause`))

      const isPaused = withDatabaseErrors(
        Effect.map(sql<{ paused: boolean }>`select exists (select from job_pause) as paused`, ([row]) => row!.paused)
      )

      return JobUpkeep.of({ expireLeases, pause, resume, isPaused, removeEnded })
    })
  )
}
