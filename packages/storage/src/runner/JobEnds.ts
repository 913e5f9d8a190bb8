import { liveJobType } from "@kinora/domain/enums/RunnerJobType"
import { RunnerJobState } from "@kinora/domain/enums/RunnerJobState"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** Possible states of a job after it was taken from its holder: 1 is pending again, 4 is failed. */
export type AfterHolder = typeof RunnerJobState.pending | typeof RunnerJobState.errored

/** Why a job is taken from its holder. */
export interface HandBack {
  readonly id: number
  /** Digest of the holder's token; null takes it from whoever holds it. */
  readonly tokenHash: Uint8Array | null
  /** Whether that counts as a failure. */
  readonly failed: boolean
  /** Null keeps the error of before. */
  readonly words: string | null
  /** The failure that is final. */
  readonly maxFailures: number
  /** Only if its lease is over. */
  readonly late?: boolean
}

interface Held {
  readonly type: string
  readonly failures: number
}

/** Nobody can begin these again. */
const live = liveJobType

/**
 * Ends of runner jobs, in the caller's transaction. The job of the board that waits for a runner job is locked before that: whoever
 * gives up a ladder locks them in this order too.
 */
export const jobEnds = (sql: SqlClient) => {
  const lockLadder = (id: number) =>
    sql`select 1 from job where id = (select job_id from runner_job where id = ${id}) for update`

  /** Ends what waits for a job that will not complete, down to the last generation. */
  const orphan = (id: number, state: RunnerJobState) => sql`
    with recursive below as (
      select c.id from runner_job c where c.parent_id = ${id}
      union all
      select c.id from runner_job c join below b on c.parent_id = b.id
    )
    update runner_job set state = ${state}, finished_at = now(), updated_at = now()
    where id in (select id from below) and state = ${RunnerJobState.waitingForParent}`

  const holds = Effect.fnUntraced(function* ({ id, late = false, tokenHash }: HandBack) {
    const rows = yield* sql<Held>`
      select type, failures from runner_job
      where id = ${id} and state in (${RunnerJobState.processing}, ${RunnerJobState.completing})
        and (${tokenHash}::bytea is null or token_hash = ${tokenHash}::bytea)
        and (not ${late}::boolean or lease_until < now())
      for update`
    return rows[0]
  })

  const pend = ({ failed, id, words }: HandBack) => sql`
    update runner_job set state = ${RunnerJobState.pending}, failures = failures + ${failed ? 1 : 0}::integer,
      error = coalesce(${words}::text, error), progress = null, lease_until = null, started_at = null, updated_at = now()
    where id = ${id}`

  const fail = ({ id, words }: HandBack) => sql`
    update runner_job set state = ${RunnerJobState.errored}, failures = failures + 1,
      error = coalesce(${words}::text, error), progress = null, lease_until = null, finished_at = now(), updated_at = now()
    where id = ${id}`

  /**
   * Takes a job from whoever holds it: back to the board, or errored when it failed too often or cannot be begun again. Undefined:
   * nobody held it, or another, or it was to be late and is not.
   */
  const handBack = Effect.fnUntraced(function* (end: HandBack): Effect.fn.Return<AfterHolder | undefined, SqlError> {
    yield* lockLadder(end.id)
    const held = yield* holds(end)
    if (held === undefined) return undefined
    if (held.type !== live && !(end.failed && held.failures + 1 >= end.maxFailures)) {
      yield* pend(end)
      return RunnerJobState.pending
    }
    yield* fail(end)
    yield* orphan(end.id, RunnerJobState.parentErrored)
    return RunnerJobState.errored
  })

  /**
   * Whether the result is the job's: false when the job was not held under that token any more. A result that is noted already is
   * confirmed again, for whoever could not know.
   */
  const complete = Effect.fnUntraced(function* (id: number, tokenHash: Uint8Array, result: string) {
    yield* lockLadder(id)
    const done = yield* sql`
      update runner_job set state = ${RunnerJobState.completed}, progress = 100, result = ${result}, error = null,
        lease_until = null, finished_at = now(), updated_at = now()
      where id = ${id} and token_hash = ${tokenHash} and state = ${RunnerJobState.processing} returning id`
    if (done.length === 0) {
      const noted = yield* sql`
        select 1 from runner_job where id = ${id} and token_hash = ${tokenHash}
          and state = ${RunnerJobState.completed} and result = ${result}`
      return noted.length > 0
    }
    yield* sql`
      update runner_job set state = ${RunnerJobState.pending}, updated_at = now()
      where parent_id = ${id} and state = ${RunnerJobState.waitingForParent}`
    return true
  })

  /** False if it has already ended or is being completed. */
  const cancel = Effect.fnUntraced(function* (id: number) {
    yield* lockLadder(id)
    const rows = yield* sql`
      update runner_job set state = ${RunnerJobState.cancelled}, lease_until = null, finished_at = now(), updated_at = now()
      where id = ${id}
        and state in (${RunnerJobState.pending}, ${RunnerJobState.processing}, ${RunnerJobState.waitingForParent})
      returning id`
    if (rows.length === 0) return false
    yield* orphan(id, RunnerJobState.parentCancelled)
    return true
  })

  return { lockLadder, handBack, complete, cancel }
}
