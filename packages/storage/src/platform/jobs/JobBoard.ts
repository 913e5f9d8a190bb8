import { PgClient } from "@effect/sql-pg/PgClient"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Duration, Effect, Layer, Option, Schedule, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { withDatabaseErrors } from "../database/DatabaseErrors.ts"
import { listening } from "../database/Listening.ts"
import { countAttempt } from "./AttemptMetrics.ts"
import { type ClaimedJob, type JobLease, type JobState, LeaseLost, type NewJob } from "./Job.ts"
import { TracesExported } from "./TracesExported.ts"

/** Delay after the first failed attempt. It doubles with each further one, and is shortened at random by up to half. */
const firstBackoffSeconds = 5
const longestBackoffSeconds = 600
/** Delay per earlier attempt after an attempt was left: the attempt itself may overload the database. */
const leftBackoffSeconds = 10

/**
 * Durable work: rows of the table `job`, each claimed by one worker at a time with a lease. Calls inside
 * `sql.withTransaction` take part in it: a job exists once the change that needs it is committed. Work can be done
 * twice (a worker that lost its lease may still be busy), so handlers must be idempotent.
 */
export class JobBoard extends Context.Service<
  JobBoard,
  {
    /** Adds a job and returns its id. If an unfinished job has the same `dedupeKey`, returns that one's id. */
    enqueue(job: NewJob): Effect.Effect<number, DatabaseUnavailable>
    /**
     * Claims the most urgent due job of these types. The attempt is counted before the work starts, so that a job that
     * kills its worker does not come back forever. `owner` is the worker's name, for operators and for `expireLeases`.
     * None while jobs are paused (`JobUpkeep.pause`). A claim that was written although no answer came is undone by the
     * next call.
     */
    claim(
      types: ReadonlyArray<string>,
      owner: string,
      lease: Duration.Input
    ): Effect.Effect<Option.Option<ClaimedJob>, DatabaseUnavailable>
    /** Extends the lease, counted from now, and records the percent done (0 to 100) if it is given. */
    heartbeat(
      lease: JobLease,
      duration: Duration.Input,
      percent?: number
    ): Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /** Percent done, 0 to 100. */
    progress(lease: JobLease, percent: number): Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /** Completes the job. Jobs that waited only for it become claimable in the same transaction. */
    complete(lease: JobLease, result?: unknown): Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /**
     * Fails the attempt: the job is retried with growing delays until its attempts are used up, or fails at once if
     * `final` says that retrying cannot help. Returns the new state; the error's text is stored.
     */
    fail(
      lease: JobLease,
      error: string,
      options?: { readonly final?: boolean }
    ): Effect.Effect<"delayed" | "failed", LeaseLost | DatabaseUnavailable>
    /** Hands the job back, as on shutdown: the attempt does not count. */
    release(lease: JobLease): Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /**
     * Hands the job back until a service that it needs is there again: it is claimable so many seconds later, and the attempt does not
     * count. False if the lease is lost or the job is older than a day: nothing was changed.
     */
    postpone(lease: JobLease, why: string, seconds: number): Effect.Effect<boolean, DatabaseUnavailable>
    /**
     * Ends an attempt without a result, for a worker that could not report one in time. After a first attempt the job
     * is claimable at once, else some seconds later. If its attempts are used up it fails, as when the lease expires.
     */
    leave(lease: JobLease): Effect.Effect<void, LeaseLost | DatabaseUnavailable>
    /** How many jobs of the type wait for their turn, counted up to `atMost`. */
    waiting(type: string, atMost: number): Effect.Effect<number, DatabaseUnavailable>
    /** Whether the job was cancelled or deleted, so that nobody will work on it again. */
    isDropped(jobId: number): Effect.Effect<boolean, DatabaseUnavailable>
    /**
     * Emits the type of each job that becomes claimable, and "" at first and whenever notifications may have been
     * missed. Never ends. All subscribers share one connection outside the pool, so they must not be slow.
     */
    readonly wakeUps: Stream.Stream<string>
  }
>()("@kinora/storage/jobs/JobBoard") {
  static readonly layer = Layer.effect(
    JobBoard,
    Effect.gen(function* () {
      const sql = yield* PgClient
      const linked = yield* TracesExported

      /** The span that queues a job, where somebody collects spans. */
      const traceparent = linked
        ? Effect.map(Effect.option(Effect.currentSpan), (span) =>
            Option.match(span, { onNone: () => null, onSome: ({ spanId, traceId }) => `00-${traceId}-${spanId}-01` })
          )
        : Effect.succeed(null)

      const insert = (job: NewJob, traceparent: string | null) => {
        const dependsOn = job.dependsOn ?? []
        const delay = (job.delayMillis ?? 0) / 1000
        const state: JobState = dependsOn.length > 0 ? "waiting-children" : delay > 0 ? "delayed" : "waiting"
        return sql<{ id: number }>`
          insert into job (type, payload, state, priority, video_id, dedupe_key, run_at, max_attempts, traceparent)
          values (${job.type}, ${JSON.stringify(job.payload)}::jsonb, ${state}, ${job.priority ?? 100},
            ${job.videoId ?? null}, ${job.dedupeKey ?? null}, now() + make_interval(secs => ${delay}::float8),
            ${job.maxAttempts ?? 5}, ${traceparent})
          on conflict (dedupe_key) where state not in ('completed', 'failed', 'cancelled') do nothing
          returning id`
      }

      const unfinished = (key: string) =>
        sql<{ id: number }>`
          select id from job where dedupe_key = ${key} and state not in ('completed', 'failed', 'cancelled')`

      const dependOn = Effect.fnUntraced(function* (id: number, dependsOn: ReadonlyArray<number>) {
        // The lock makes a dependency that is about to end wait for this transaction, and then see the new job.
        yield* sql`select 1 from job where id = any(${dependsOn}::int[]) order by id for share`
        yield* sql`insert into job_dependency (job_id, depends_on) select ${id}, unnest(${dependsOn}::int[])`
        yield* sql`select job_release(${id})`
      })

      const enqueue = Effect.fn("JobBoard.enqueue")(
        function* (job: NewJob) {
          const span = yield* traceparent
          // The unfinished job of the key may end between the two statements. Then a new one can be added.
          for (;;) {
            const made = (yield* insert(job, span))[0]
            if (made !== undefined) {
              if (job.dependsOn !== undefined && job.dependsOn.length > 0) yield* dependOn(made.id, job.dependsOn)
              return made.id
            }
            const known = (yield* unfinished(job.dedupeKey!))[0]
            if (known !== undefined) return known.id
          }
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      /** Tokens of claims that got no answer. */
      const unsure = new Set<string>()

      const undoUnsure = Effect.suspend(() => {
        const tokens = [...unsure]
        return Effect.andThen(
          sql`update job set state = 'waiting', attempts = attempts - 1, run_at = now(), updated_at = now(),
              lease_owner = null, lease_token = null, lease_until = null
            where state = 'active' and lease_token = any(${tokens}::uuid[])`,
          Effect.sync(() => tokens.forEach((token) => unsure.delete(token)))
        )
      })

      const claim = Effect.fnUntraced(function* (types: ReadonlyArray<string>, owner: string, lease: Duration.Input) {
        if (unsure.size > 0) yield* undoUnsure
        const token = randomUUID()
        const rows = yield* sql<Omit<ClaimedJob, "lease">>`
            update job set state = 'active', attempts = attempts + 1, lease_owner = ${owner},
              lease_token = ${token}::uuid, lease_until = now() + ${seconds(lease)} * interval '1 second',
              progress = null, started_at = now(), updated_at = now()
            where id = (
              select id from job
              where state in ('waiting', 'delayed') and run_at <= now() and type = any(${types}::text[])
                and not exists (select 1 from job_pause)
              order by priority, run_at, id for update skip locked limit 1
            )
            returning id, uuid, type, payload, video_id as "videoId", attempts as "attempt",
              max_attempts as "maxAttempts", traceparent`.pipe(
          Effect.onError(() => Effect.sync(() => void unsure.add(token)))
        )
        return Option.map(Option.fromNullishOr(rows[0]), (job): ClaimedJob => ({
          ...job,
          lease: { id: job.id, token }
        }))
      }, withDatabaseErrors)

      /** Every report names its lease. If no row has it any more, the report is too late. */
      const report = <A>(lease: JobLease, statement: Effect.Effect<ReadonlyArray<A>, unknown>) =>
        withDatabaseErrors(
          Effect.flatMap(statement, (rows): Effect.Effect<A, LeaseLost> =>
            rows[0] === undefined ? Effect.fail(new LeaseLost({ jobId: lease.id })) : Effect.succeed(rows[0])
          )
        ) as Effect.Effect<A, LeaseLost | DatabaseUnavailable>

      const heartbeat = (lease: JobLease, duration: Duration.Input, percent?: number) =>
        Effect.asVoid(
          report(
            lease,
            sql`update job set lease_until = now() + ${seconds(duration)} * interval '1 second', updated_at = now(),
              progress = coalesce(${percent ?? null}::int, progress)
            where id = ${lease.id} and lease_token = ${lease.token}::uuid returning id`
          )
        )

      const progress = (lease: JobLease, percent: number) =>
        Effect.asVoid(
          report(
            lease,
            sql`update job set progress = ${Math.min(100, Math.max(0, Math.round(percent)))}, updated_at = now()
            where id = ${lease.id} and lease_token = ${lease.token}::uuid returning id`
          )
        )

      const complete = (lease: JobLease, result?: unknown) =>
        Effect.asVoid(
          report(
            lease,
            sql<{
              type: string
            }>`update job set state = 'completed', progress = 100, finished_at = now(), updated_at = now(), error = null,
              result = ${result === undefined ? null : JSON.stringify(result)}::jsonb,
              lease_owner = null, lease_token = null, lease_until = null
            where id = ${lease.id} and lease_token = ${lease.token}::uuid returning type`
          ).pipe(Effect.tap(({ type }) => countAttempt(type, "completed")))
        )

      const fail = (lease: JobLease, error: string, options?: { readonly final?: boolean }) =>
        Effect.map(
          report(
            lease,
            sql<{ type: string; state: "delayed" | "failed" }>`
              update job set
                state = case when ${options?.final === true} or attempts >= max_attempts then 'failed' else 'delayed' end,
                finished_at = case when ${options?.final === true} or attempts >= max_attempts then now() end,
                run_at = now() + interval '1 second' * (0.5 + random() / 2)
                  * least(${longestBackoffSeconds}, ${firstBackoffSeconds} * 2 ^ least(attempts - 1, 20)),
                error = ${error}, updated_at = now(), lease_owner = null, lease_token = null, lease_until = null
              where id = ${lease.id} and lease_token = ${lease.token}::uuid returning type, state`
          ).pipe(Effect.tap(({ state, type }) => countAttempt(type, state))),
          (row) => row.state
        )

      const release = (lease: JobLease) =>
        Effect.asVoid(
          report(
            lease,
            sql`update job set state = 'waiting', attempts = attempts - 1, run_at = now(), updated_at = now(),
              progress = null, lease_owner = null, lease_token = null, lease_until = null
            where id = ${lease.id} and lease_token = ${lease.token}::uuid returning id`
          )
        )

      const postpone = (lease: JobLease, why: string, wait: number) =>
        withDatabaseErrors(
          Effect.map(
            sql`update job set state = 'delayed', attempts = attempts - 1, run_at = now() + make_interval(secs => ${wait}::float8),
              error = ${why}, updated_at = now(), progress = null, lease_owner = null, lease_token = null, lease_until = null
            where id = ${lease.id} and lease_token = ${lease.token}::uuid and created_at > now() - interval '1 day'
            returning id`,
            (rows) => rows.length > 0
          )
        )

      const leave = (lease: JobLease) =>
        Effect.asVoid(
          report(
            lease,
            sql`update job set
                state = case when attempts >= max_attempts then 'failed' when attempts <= 1 then 'waiting' else 'delayed' end,
                finished_at = case when attempts >= max_attempts then now() end,
                error = case when attempts >= max_attempts
                  then format('The end of attempt %s of %s could not be written down%s', attempts, max_attempts,
                    coalesce('; before that: ' || error, ''))
                  else error end,
                run_at = now() + (attempts - 1) * ${leftBackoffSeconds} * interval '1 second', updated_at = now(), progress = null,
                lease_owner = null, lease_token = null, lease_until = null
              where id = ${lease.id} and lease_token = ${lease.token}::uuid returning id`
          )
        )

      const waiting = Effect.fnUntraced(function* (type: string, atMost: number) {
        const rows = yield* sql<{ waiting: number }>`
          select count(*)::int as waiting from (
            select 1 from job where type = ${type} and state in ('waiting', 'delayed') limit ${atMost}
          ) found`
        return rows[0]!.waiting
      }, withDatabaseErrors)

      const isDropped = Effect.fn("JobBoard.isDropped")(function* (jobId: number) {
        const rows = yield* sql`select 1 from job where id = ${jobId} and state <> 'cancelled'`
        return rows.length === 0
      }, withDatabaseErrors)

      const notifications = yield* listening(sql, "job", "").pipe(
        Stream.retry(Schedule.spaced("1 second")),
        Stream.orDie,
        Stream.share({ capacity: 64, replay: 1 })
      )
      // A later subscriber is informed at once that notifications arrive from here on.
      const wakeUps = notifications.pipe(
        Stream.zipWithIndex,
        Stream.map(([type, index]) => (index === 0 ? "" : type))
      )

      return JobBoard.of({
        enqueue,
        claim,
        heartbeat,
        progress,
        complete,
        fail,
        release,
        postpone,
        leave,
        waiting,
        isDropped,
        wakeUps
      })
    })
  )
}

const seconds = (duration: Duration.Input): number => Duration.toMillis(Duration.fromInputUnsafe(duration)) / 1000
