import { PgClient } from "@effect/sql-pg/PgClient"
import type { MadeRunnerJobType } from "@kinora/domain/enums/RunnerJobType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Duration, Effect, Layer, Option, Schedule, Stream } from "effect"
import { withDatabaseErrors } from "../platform/database/DatabaseErrors.ts"
import { listening } from "../platform/database/Listening.ts"
import { type AfterHolder, jobEnds } from "./JobEnds.ts"
import { type Retried, retryJob } from "./JobRetries.ts"

export interface NewRunnerJob {
  /** Chosen by the caller, because URLs in the payload contain it. */
  readonly uuid: string
  readonly type: MadeRunnerJobType
  /** Smaller is more urgent. */
  readonly priority: number
  /** What runners see. */
  readonly payload: unknown
  /** What only the instance sees. */
  readonly privatePayload: unknown
  /** The job is deleted with its video. */
  readonly videoId: number | null
  /** The job that must complete first. If that one fails, this one does too. */
  readonly parentId?: number | undefined
  /** The job on the board that waits for this one. */
  readonly jobId?: number | undefined
}

/** Maximum failures of one job: the last one is final (contract: retries.maxFailures). */
export const maxFailures = 5

/** Jobs whose result is a complete rendition. */
const renditionTypes: ReadonlyArray<MadeRunnerJobType> = [
  "vod-web-video-transcoding",
  "vod-hls-transcoding",
  "vod-audio-merge-transcoding"
]

/** A report that changes nothing but the time is written at most once in this many seconds. */
const reportSeconds = 2

/** How long a job may go without a report. */
export interface RunnerLeases {
  readonly live: Duration.Input
  /** Every other type. */
  readonly vod: Duration.Input
}

/**
 * Work done by external runners: rows of the table `runner_job`, each held by one runner with a job token and a lease,
 * which its reports renew. Every change names the holder: a report from a former holder changes nothing.
 */
export class RunnerJobBoard extends Context.Service<
  RunnerJobBoard,
  {
    /** Adds a job in the caller's transaction. Returns its id. */
    readonly add: (job: NewRunnerJob) => Effect.Effect<number, DatabaseUnavailable>
    /** Renews the lease of a job in progress and records its progress. False if it is no longer in progress. */
    readonly report: (
      id: number,
      tokenHash: Uint8Array,
      progress: number | undefined,
      lease: Duration.Input
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /**
     * Takes the job from its holder. `failed` counts a failure; the last one, or a `final` one, ends the job and those
     * that depend on it. None if it was no longer held.
     */
    readonly giveBack: (
      id: number,
      tokenHash: Uint8Array,
      end: { readonly failed: boolean; readonly final?: boolean; readonly words: string }
    ) => Effect.Effect<Option.Option<AfterHolder>, DatabaseUnavailable>
    /**
     * The same for every job whose holder was silent for too long, each counted as a failure. Returns their UUIDs and
     * states.
     */
    readonly expire: Effect.Effect<
      ReadonlyArray<{ readonly id: number; readonly uuid: string; readonly state: AfterHolder }>,
      DatabaseUnavailable
    >
    /**
     * Completes a job: its result is in the folder of this name, and jobs that depend on it become pending. False if it
     * was no longer held: the result is not needed. Repeating the call for the same result is harmless.
     */
    readonly complete: (
      id: number,
      tokenHash: Uint8Array,
      result: string
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Cancels a job and those that depend on it. False if it has already ended or is being completed. */
    readonly cancel: (id: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Restarts a job that failed or was cancelled, with its failures reset, and the ladder that failed with it. */
    readonly retry: (id: number) => Effect.Effect<Retried, DatabaseUnavailable>
    /** Resumes ladders that wait although none of their jobs is open. Returns how many. */
    readonly freeLadders: Effect.Effect<number, DatabaseUnavailable>
    /**
     * Emits "" whenever a job may have become pending, and the id of a runner that was removed. Never ends; holds a
     * connection outside the pool.
     */
    readonly wakeUps: Stream.Stream<string>
  }
>()("@kinora/storage/runners/RunnerJobBoard") {
  static readonly layer = Layer.effect(
    RunnerJobBoard,
    Effect.gen(function* () {
      const sql = yield* PgClient

      const ends = jobEnds(sql)

      const add = Effect.fn("RunnerJobBoard.add")(function* (job: NewRunnerJob) {
        // Locked until the child is written: otherwise a parent that ends meanwhile would leave it waiting forever.
        const parents =
          job.parentId === undefined
            ? []
            : yield* sql<{ state: number }>`select state from runner_job where id = ${job.parentId} for share`
        const rows = yield* sql<{ id: number }>`
          insert into runner_job (uuid, type, state, priority, payload, private_payload, video_id, parent_id,
            job_id)
          values (${job.uuid}::uuid, ${job.type}, ${parents[0] === undefined || parents[0].state === 3 ? 1 : 5},
            ${job.priority}, ${JSON.stringify(job.payload)}::jsonb, ${JSON.stringify(job.privatePayload)}::jsonb,
            ${job.videoId}, ${job.parentId ?? null}, ${job.jobId ?? null})
          returning id`
        return rows[0]!.id
      }, withDatabaseErrors)

      const report = Effect.fnUntraced(function* (
        id: number,
        tokenHash: Uint8Array,
        progress: number | undefined,
        lease: Duration.Input
      ) {
        const held = sql`id = ${id} and token_hash = ${tokenHash} and state = 2`
        // Of concurrent reports, those that waited for the first find that it has just been written.
        const written = yield* sql`
          update runner_job set progress = coalesce(${progress ?? null}::smallint, progress), updated_at = now(),
            lease_until = now() + ${seconds(lease)} * interval '1 second'
          where ${held} and (updated_at < now() - ${reportSeconds} * interval '1 second'
            or (progress is null and ${progress ?? null}::integer is not null))
          returning id`
        if (written.length > 0) return true
        return (yield* sql`select 1 from runner_job where ${held}`).length > 0
      }, withDatabaseErrors)

      const giveBack = Effect.fn("RunnerJobBoard.giveBack")(function* (
        id: number,
        tokenHash: Uint8Array,
        { failed, final = false, words }: { readonly failed: boolean; readonly final?: boolean; readonly words: string }
      ) {
        const end = { id, tokenHash, failed, words, maxFailures: final ? 1 : maxFailures }
        return Option.fromUndefinedOr(yield* sql.withTransaction(ends.handBack(end)))
      }, withDatabaseErrors)

      const silence = { tokenHash: null, failed: true, words: "The runner stopped reporting", maxFailures, late: true }

      // Each in its own transaction, so that none blocks the rows of others while it waits for a lock.
      const expire = Effect.gen(function* () {
        const silent = yield* sql<{ id: number; uuid: string }>`
          select id, uuid from runner_job where state in (2, 9) and lease_until < now() order by id`
        const taken = yield* Effect.forEach(silent, ({ id, uuid }) =>
          Effect.map(sql.withTransaction(ends.handBack({ id, ...silence })), (state) => ({ id, uuid, state }))
        )
        return taken.flatMap(({ id, state, uuid }) => (state === undefined ? [] : [{ id, uuid, state }]))
      }).pipe(withDatabaseErrors, Effect.withSpan("RunnerJobBoard.expire"))

      /** A rendition can be published before the others are ready. Parts of a split video cannot. */
      const wakeLadder = (id: number) => sql`
        update job set state = 'waiting', run_at = now(), updated_at = now()
        where state = 'waiting-children' and id = (
          select job_id from runner_job where id = ${id} and type = any(${renditionTypes}::text[])
        )`

      const complete = Effect.fn("RunnerJobBoard.complete")(
        function* (id: number, tokenHash: Uint8Array, result: string) {
          const done = yield* ends.complete(id, tokenHash, result)
          if (done) yield* wakeLadder(id)
          return done
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const cancel = Effect.fn("RunnerJobBoard.cancel")(ends.cancel, sql.withTransaction, withDatabaseErrors)

      const retry = Effect.fn("RunnerJobBoard.retry")(retryJob(sql), sql.withTransaction, withDatabaseErrors)

      // For changes outside of these functions, such as a job that is deleted while its result is refused.
      const freeLadders = sql`
        update job set state = 'waiting', run_at = now(), updated_at = now()
        where id in (
          select id from job j where state = 'waiting-children' and result ? 'runnerJobs'
            and not exists (select 1 from runner_job r where r.job_id = j.id and r.state in (1, 2, 5, 9))
          order by id for update skip locked
        )
        returning id`.pipe(
        Effect.map((rows) => rows.length),
        withDatabaseErrors,
        Effect.withSpan("RunnerJobBoard.freeLadders")
      )

      const wakeUps = listening(sql, "runner_job", "").pipe(Stream.retry(Schedule.spaced("1 second")), Stream.orDie)

      return RunnerJobBoard.of({
        add,
        report,
        giveBack,
        expire,
        complete,
        cancel,
        retry,
        freeLadders,
        wakeUps
      })
    })
  )
}

const seconds = (duration: Duration.Input): number => Duration.toMillis(Duration.fromInputUnsafe(duration)) / 1000
