import { type ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import type { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { VideoPublication } from "@kinora/storage/video/write/VideoPublication"
import { Cause, Context, Duration, Effect, Layer, Option } from "effect"
import { passNotices, throughOutages } from "../../platform/jobs/JobAfterJob.ts"
import { type JobAttempt, makeJobWorker } from "../../platform/jobs/JobWorker.ts"
import { makeWakeup, type Wakeup } from "../../platform/jobs/Wakeup.ts"
import { uuidOf } from "../../platform/ids/DerivedIds.ts"
import type { JobFailure } from "./Outcome.ts"
import { ProcessingSettings } from "./ProcessingSettings.ts"

/** Minimum time between two checks whether a job was dropped. */
const lookPause = Duration.seconds(1)

type Failure = Exclude<JobFailure, { readonly _tag: "LeaseLost" | "DatabaseUnavailable" }>

export type JobRunner = (job: ClaimedJob) => Effect.Effect<void, JobFailure>

const make = Effect.gen(function* () {
  const settings = yield* ProcessingSettings
  const board = yield* JobBoard
  const publication = yield* VideoPublication
  const services = yield* Effect.context<JobBoard | JobUpkeep>()
  const wakeups = new Set<Wakeup>()

  /** A job that is given up for another is noticed with the notice of that one. */
  const dropped = (job: ClaimedJob, wakeup: Wakeup) =>
    throughOutages(
      Effect.forever(
        Effect.gen(function* () {
          yield* Effect.sleep(lookPause)
          yield* wakeup.wait
          if (yield* board.isDropped(job.id)) return yield* new LeaseLost({ jobId: job.id })
        })
      )
    )

  /** Removes objects of earlier attempts, which died between storing and committing. */
  const clear = (job: ClaimedJob, from: number, to: number) =>
    Effect.forEach(
      Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => uuidOf(job.uuid, `attempt-${from + i}`)),
      publication.abandon,
      { discard: true }
    )

  const failed = Effect.fnUntraced(function* (job: ClaimedJob, message: string, final: boolean) {
    yield* clear(job, job.attempt, job.attempt)
    const became = yield* publication.fail(job.videoId ?? 0, job.lease, message, final)
    const what = `Job ${job.id} (${job.type})${job.videoId === null ? "" : ` of video ${job.videoId}`}`
    yield* became === "failed"
      ? Effect.logError(`${what} failed for good after ${job.attempt} attempts: ${message}`)
      : Effect.logWarning(`${what} is tried again later: ${message}`)
  })

  const fail = (job: ClaimedJob, error: Failure | undefined, cause: Cause.Cause<unknown>) => {
    if (error === undefined) return failed(job, Cause.pretty(cause).slice(0, 2000), false)
    switch (error._tag) {
      case "ProcessingFailed":
        return failed(job, error.message, error.final)
      case "VideoChanged":
        return failed(job, "The video was deleted or changed its privacy meanwhile", false)
      default:
        return failed(job, error.message, false)
    }
  }

  const attempt = (job: ClaimedJob, run: JobRunner, wakeup: Wakeup): JobAttempt<Failure> => ({
    work: () => Effect.raceFirst(run(job), dropped(job, wakeup)),
    release: Effect.andThen(clear(job, job.attempt, job.attempt), board.release(job.lease)),
    postpone: (why, seconds) =>
      Effect.andThen(clear(job, job.attempt, job.attempt), board.postpone(job.lease, why, seconds)),
    fail: (error, cause) => fail(job, error, cause),
    // Attempts of a job that goes on may have the same number.
    lost: Effect.flatMap(board.isDropped(job.id), (isDropped) =>
      isDropped ? clear(job, job.attempt, job.attempt) : Effect.void
    )
  })

  const worker = Effect.fnUntraced(function* (types: ReadonlyArray<string>, run: JobRunner): Effect.fn.Return<never> {
    const wakeup = yield* makeWakeup
    wakeups.add(wakeup)
    const { run: forever } = yield* makeJobWorker({
      types,
      owner: settings.owner,
      wakeup,
      begin: (job) => Effect.as(clear(job, 1, job.attempt - 1), Option.some(attempt(job, run, wakeup)))
    }).pipe(Effect.provideContext(services))
    return yield* Effect.ensuring(
      forever,
      Effect.sync(() => wakeups.delete(wakeup))
    )
  })

  const wakeAll = Effect.suspend(() => Effect.forEach(wakeups, ({ notify }) => notify, { discard: true }))

  return WorkerPool.of({ worker, listen: passNotices(board, wakeAll) })
})

/** Claims jobs from the board and runs them. */
export class WorkerPool extends Context.Service<
  WorkerPool,
  {
    /**
     * Works on one job of these types after another, forever. If interrupted, it hands its job back without counting an
     * attempt.
     */
    readonly worker: (types: ReadonlyArray<string>, run: JobRunner) => Effect.Effect<never>
    /** Wakes workers when a job is queued. */
    readonly listen: Effect.Effect<never>
  }
>()("@kinora/node/processing/WorkerPool") {
  static readonly layer = Layer.effect(WorkerPool, make)
}
