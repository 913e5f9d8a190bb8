import { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { type ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { isAway, S3Failure } from "@kinora/storage/platform/objects/s3/S3Failure"
import { Cause, type Duration, Effect, Exit, Option } from "effect"
import { linksTo } from "../observability/Traced.ts"
import { jobAfterJob, passNotices, seenThrough } from "./JobAfterJob.ts"
import { heartbeats, jobLease } from "./JobLease.ts"
import type { Wakeup } from "./Wakeup.ts"

type Reported = LeaseLost | DatabaseUnavailable

/** Seconds until a job is tried again that needs object storage while that is away. */
const storageWait = 20

/** What object storage failed with, if that is why an attempt ended and it is away altogether. */
const storageAway = (cause: Cause.Cause<unknown>): S3Failure | undefined => {
  const defect = Cause.squash(cause)
  return defect instanceof S3Failure && isAway(defect) ? defect : undefined
}

/** How an attempt ended, in its span. `lost`: it is another worker's by now, or the database is away. */
const outcome = (ended: "completed" | "failed" | "lost" | "postponed" | "released") =>
  Effect.annotateCurrentSpan("job.outcome", ended)

const isReported = <E>(error: E | Reported): error is Reported =>
  error instanceof LeaseLost || error instanceof DatabaseUnavailable

/** One attempt at a job. */
export interface JobAttempt<E> {
  /** Does the job and completes it. `progress` notes a fraction, 0 to 1, that the next heartbeat writes down. */
  readonly work: (progress: (fraction: number) => void) => Effect.Effect<void, E | Reported>
  /** Writes down why it failed; undefined after a defect, whose cause is in the log. */
  readonly fail: (error: E | undefined, cause: Cause.Cause<unknown>) => Effect.Effect<unknown, Reported>
  /** Hands the job back unharmed; by default `JobBoard.release`. */
  readonly release?: Effect.Effect<void, Reported>
  /**
   * Hands it back for so many seconds because object storage is away. False: it fails instead. By default `JobBoard.postpone`, unless
   * it has a `release` of its own.
   */
  readonly postpone?: (why: string, seconds: number) => Effect.Effect<boolean, Reported>
  /** The job is another worker's by now, or nobody's. */
  readonly lost?: Effect.Effect<void, DatabaseUnavailable>
}

export interface JobWorkerOptions<E> {
  readonly types: ReadonlyArray<string>
  /** A name of the worker's own: `takeBack` takes what its former self held and nothing of others. */
  readonly owner: string
  /** Default 3 seconds. */
  readonly heartbeatEvery?: Duration.Duration
  readonly wakeup: Wakeup
  /** Whether several workers wait for the same wakeup. */
  readonly shared?: boolean
  /** Reads the payload and begins; none when there is nothing to do any more. A payload that cannot be read fails the job. */
  readonly begin: (
    job: ClaimedJob
  ) => Effect.Effect<Option.Option<JobAttempt<E>> | "unreadable", LeaseLost | DatabaseUnavailable>
}

export interface JobWorker {
  /** Works on one job after another, for ever. An interrupted one is handed back unharmed. */
  readonly run: Effect.Effect<never>
  /** Works on one job if there is one to claim; whether there was. */
  readonly once: Effect.Effect<boolean, Reported>
  /** Notifies the wakeup when there is something to do. */
  readonly listen: Effect.Effect<never>
  /** At start: takes back what this node held when it died. */
  readonly takeBack: Effect.Effect<number, DatabaseUnavailable>
}

/**
 * A worker of the job board: claims, keeps the lease with heartbeats while it works, and reports how each attempt ended. While the
 * database is away it goes on working, and gives back at its return what it could not report.
 */
export const makeJobWorker = Effect.fnUntraced(function* <E>(
  options: JobWorkerOptions<E>
): Effect.fn.Return<JobWorker, never, JobBoard | JobUpkeep> {
  const board = yield* JobBoard
  const upkeep = yield* JobUpkeep
  const { begin, heartbeatEvery, owner, shared, types, wakeup } = options

  const postpone = Effect.fnUntraced(function* (job: ClaimedJob, attempt: JobAttempt<E>, { message }: S3Failure) {
    const own = attempt.release === undefined ? (why: string) => board.postpone(job.lease, why, storageWait) : undefined
    const put = attempt.postpone ?? own
    if (put === undefined || !(yield* put(message, storageWait))) return false
    yield* Effect.logWarning(`Job ${job.id} (${job.type}) waits for object storage: ${message}`)
    return true
  })

  const settle = Effect.fnUntraced(function* (
    job: ClaimedJob,
    attempt: JobAttempt<E>,
    exit: Exit.Exit<void, E | Reported>
  ) {
    if (Exit.isSuccess(exit)) return yield* outcome("completed")
    if (Cause.hasInterruptsOnly(exit.cause)) {
      yield* outcome("released")
      return yield* attempt.release ?? board.release(job.lease)
    }
    const away = storageAway(exit.cause)
    if (away !== undefined && (yield* postpone(job, attempt, away))) return yield* outcome("postponed")
    const found = Cause.findErrorOption(exit.cause)
    if (Option.isNone(found)) {
      yield* outcome("failed")
      yield* Effect.logError(`Job ${job.id} (${job.type}) failed unexpectedly`, exit.cause)
      return yield* Effect.asVoid(attempt.fail(undefined, exit.cause))
    }
    const error = found.value
    if (isReported(error)) {
      yield* outcome("lost")
      return yield* Effect.fail(error)
    }
    yield* outcome("failed")
    yield* attempt.fail(error, exit.cause)
  })

  const handle = Effect.fnUntraced(
    function* (job: ClaimedJob): Effect.fn.Return<void, Reported> {
      const attempt = yield* begin(job)
      if (attempt === "unreadable") {
        return yield* Effect.asVoid(board.fail(job.lease, "The payload of the job cannot be read", { final: true }))
      }
      if (Option.isNone(attempt)) return yield* board.complete(job.lease)
      const { lost = Effect.void, work } = attempt.value
      let percent: number | undefined
      const progress = (fraction: number) => {
        percent = Math.min(99, Math.max(0, Math.floor(fraction * 100)))
      }
      yield* seenThrough(
        Effect.raceFirst(work(progress), heartbeats(board, job, { every: heartbeatEvery, percent: () => percent })),
        (exit) =>
          Effect.catchTag(settle(job, attempt.value, exit), "LeaseLost", () =>
            Effect.andThen(
              lost,
              Effect.logInfo(`Job ${job.id} (${job.type}) was cancelled or taken over by another node`)
            )
          )
      )
    },
    (effect, job) =>
      Effect.withSpan(effect, `job ${job.type}`, {
        root: true,
        kind: "consumer",
        links: linksTo(job.traceparent),
        attributes: {
          "job.type": job.type,
          "job.id": job.id,
          "job.attempt": job.attempt,
          "job.max_attempts": job.maxAttempts,
          ...(job.videoId === null ? {} : { "video.id": job.videoId })
        }
      })
  )

  const claim = board.claim(types, owner, jobLease)

  return {
    run: jobAfterJob({ board, claim, handle, wakeup, ...(shared === undefined ? {} : { shared }) }),
    once: Effect.flatMap(claim, (job) =>
      Option.isNone(job) ? Effect.succeed(false) : Effect.as(handle(job.value), true)
    ),
    listen: passNotices(board, wakeup.notify, types),
    takeBack: upkeep.expireLeases(owner)
  }
})
