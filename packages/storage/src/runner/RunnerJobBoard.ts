import { PgClient } from "@effect/sql-pg/PgClient"
import type { MadeRunnerJobType } from "@kinora/domain/enums/RunnerJobType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Duration, Effect, Layer, Option, Schedule, Stream } from "effect"
import { withDatabaseErrors } from "../platform/database/DatabaseErrors.ts"
import { listening } from "../platform/database/Listening.ts"

export interface NewRunnerJob {
  /** Made by the caller, because addresses in the payload name it. */
  readonly uuid: string
  readonly type: MadeRunnerJobType
  /** Smaller is sooner. */
  readonly priority: number
  /** What runners are told. */
  readonly payload: unknown
  /** What only the instance knows. */
  readonly privatePayload: unknown
  /** The job ends with its video. */
  readonly videoId: number | null
  /** The job waits for this one, and ends with it when it fails. */
  readonly parentId?: number | undefined
  /** The job of the board that waits for this one. */
  readonly jobId?: number | undefined
}

/** Most failures of one job: the last one is final (contract: retries.maxFailures). */
export const mostFailures = 5

/** Jobs whose result is a whole rendition. */
const renditionTypes: ReadonlyArray<MadeRunnerJobType> = [
  "vod-web-video-transcoding",
  "vod-hls-transcoding",
  "vod-audio-merge-transcoding"
]

/** A report that changes nothing but the time is written not oftener than this. */
const reportSeconds = 2

/** How long a job may go without a sign of life. */
export interface RunnerLeases {
  readonly live: Duration.Input
  /** Of every other type. */
  readonly vod: Duration.Input
}

/** What became of the wish to have a job begun again; `outdated`: nobody waits for it any more. */
export type Retried = "retried" | "missing" | "not ended" | "outdated"

/** States a job can have after it was taken from its holder: 1 is back on the board, 4 is failed for good. */
export type AfterHolder = 1 | 4

/**
 * Work that programs elsewhere do: rows of the table `runner_job`, each held by one runner under a job token, and by a
 * lease which its reports renew. Every change is one statement that names the holder: what comes from one who holds the
 * job no more changes nothing.
 */
export class RunnerJobBoard extends Context.Service<
  RunnerJobBoard,
  {
    /** Adds a job, within the caller's transaction; gives its id. */
    readonly add: (job: NewRunnerJob) => Effect.Effect<number, DatabaseUnavailable>
    /** Renews the lease of a job that is being worked on, and notes its progress; false when it is not any more. */
    readonly report: (
      id: number,
      tokenHash: Uint8Array,
      progress: number | undefined,
      lease: Duration.Input
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /**
     * Takes the job from its holder: `failed` counts a failure, and the last one, or a `final` one, ends the job and what waits
     * for it. None when it was not held any more.
     */
    readonly giveBack: (
      id: number,
      tokenHash: Uint8Array,
      end: { readonly failed: boolean; readonly final?: boolean; readonly words: string }
    ) => Effect.Effect<Option.Option<AfterHolder>, DatabaseUnavailable>
    /** The same for every job whose holder was silent for too long, each a failure; gives their uuids and states. */
    readonly expire: Effect.Effect<
      ReadonlyArray<{ readonly id: number; readonly uuid: string; readonly state: AfterHolder }>,
      DatabaseUnavailable
    >
    /**
     * Ends a job well: its result lies in the folder of this name, and what waits for it becomes pending. False when it was
     * not held any more: nobody needs the result. To say so twice of one result does no harm.
     */
    readonly complete: (
      id: number,
      tokenHash: Uint8Array,
      result: string
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Ends a job and those that wait for it; false when it has ended already, or is being completed. */
    readonly cancel: (id: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Begins a job again that did not end well, with its failures forgotten, and the ladder that failed with it. */
    readonly retry: (id: number) => Effect.Effect<Retried, DatabaseUnavailable>
    /** Lets ladders go that wait although none of their jobs is open any more; gives how many. */
    readonly freeLadders: Effect.Effect<number, DatabaseUnavailable>
    /**
     * Says "" whenever a job may have become pending, and the id of a runner that is gone. Never ends; holds a connection
     * beside the pool.
     */
    readonly wakeUps: Stream.Stream<string>
  }
>()("@kinora/storage/runners/RunnerJobBoard") {
  static readonly layer = Layer.effect(
    RunnerJobBoard,
    Effect.gen(function* () {
      const sql = yield* PgClient

      const add = Effect.fn("RunnerJobBoard.add")(function* (job: NewRunnerJob) {
        // Held until the child is there: a parent that ended meanwhile would leave it waiting for ever.
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
        // Of reports that come together, those that wait for the first find that it has just been written.
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
        const rows = yield* sql<{ state: AfterHolder | null }>`
          select runner_job_back(${id}::integer, ${tokenHash}::bytea, ${failed}::boolean, ${words}::text,
            ${final ? 1 : mostFailures}::integer)::integer as state`
        return Option.fromNullishOr(rows[0]?.state)
      }, withDatabaseErrors)

      const expireOne = (id: number) => sql<{ state: AfterHolder | null }>`
        select runner_job_back(${id}::integer, null, true, 'Nothing was heard of the runner any more',
          ${mostFailures}::integer, true)::integer as state`

      // Each by itself: none keeps those that it holds from ending while it waits for another.
      const expire = Effect.gen(function* () {
        const silent = yield* sql<{ id: number; uuid: string }>`
          select id, uuid from runner_job where state in (2, 9) and lease_until < now() order by id`
        const taken = yield* Effect.forEach(silent, ({ id, uuid }) =>
          Effect.map(expireOne(id), (rows) => ({ id, uuid, state: rows[0]?.state ?? null }))
        )
        return taken.flatMap(({ id, state, uuid }) => (state === null ? [] : [{ id, uuid, state }]))
      }).pipe(withDatabaseErrors, Effect.withSpan("RunnerJobBoard.expire"))

      /** A rendition can be published before the others are made; parts of a split video cannot. */
      const wakeLadder = (id: number) => sql`
        update job set state = 'waiting', run_at = now(), updated_at = now()
        where state = 'waiting-children' and id = (
          select job_id from runner_job where id = ${id} and type = any(${renditionTypes}::text[])
        )`

      const complete = Effect.fn("RunnerJobBoard.complete")(function* (
        id: number,
        tokenHash: Uint8Array,
        result: string
      ) {
        const rows = yield* sql<{ done: boolean }>`
          select runner_job_complete(${id}::integer, ${tokenHash}::bytea, ${result}::text) as done`
        if (rows[0]!.done) yield* wakeLadder(id)
        return rows[0]!.done
      }, withDatabaseErrors)

      const cancel = Effect.fn("RunnerJobBoard.cancel")(
        function* (id: number) {
          yield* sql`select runner_ladder_lock(${id}::integer)`
          const rows = yield* sql`
            update runner_job set state = 6, lease_until = null, finished_at = now(), updated_at = now()
            where id = ${id} and state in (1, 2, 5) returning id`
          if (rows.length === 0) return false
          yield* sql`select runner_job_orphan(${id}, 8::smallint)`
          return true
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const retry = Effect.fn("RunnerJobBoard.retry")(function* (id: number) {
        const rows = yield* sql<{ became: Retried }>`select runner_job_retry(${id}::integer) as became`
        return rows[0]!.became
      }, withDatabaseErrors)

      // For what happens to the rows besides, as when a job is deleted while its result is refused.
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
