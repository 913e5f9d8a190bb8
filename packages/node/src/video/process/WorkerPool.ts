import { type ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { VideoPublication } from "@kinora/storage/video/write/VideoPublication"
import { Cause, Context, Duration, Effect, Exit, Layer, Option, Queue } from "effect"
import { jobAfterJob, ringing, seenThrough, throughOutages } from "../../platform/jobs/JobAfterJob.ts"
import { uuidOf } from "../../platform/ids/DerivedIds.ts"
import type { JobFailure } from "./Outcome.ts"
import { ProcessingSettings } from "./ProcessingSettings.ts"

const lease = Duration.minutes(1)
const heartbeatEvery = Duration.seconds(15)
/** Least time between two looks at whether a job was given up. */
const lookPause = Duration.seconds(1)

export type JobRunner = (job: ClaimedJob) => Effect.Effect<void, JobFailure>

const make = Effect.gen(function* () {
  const settings = yield* ProcessingSettings
  const board = yield* JobBoard
  const publication = yield* VideoPublication
  const bells = new Set<Queue.Queue<void>>()

  const heartbeat = (job: ClaimedJob) =>
    throughOutages(Effect.forever(Effect.delay(board.heartbeat(job.lease, lease), heartbeatEvery)))

  /** A job that is given up for another is noticed with the notice of that one. */
  const dropped = (job: ClaimedJob, bell: Queue.Queue<void>) =>
    throughOutages(
      Effect.forever(
        Effect.gen(function* () {
          yield* Effect.sleep(lookPause)
          yield* Queue.take(bell)
          if (yield* board.isDropped(job.id)) return yield* new LeaseLost({ jobId: job.id })
        })
      )
    )

  /** Objects of earlier attempts, which died between storing and committing, go at once. */
  const clear = (job: ClaimedJob, from: number, to: number) =>
    Effect.forEach(
      Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => uuidOf(job.uuid, `attempt-${from + i}`)),
      publication.abandon,
      { discard: true }
    )

  const failed = Effect.fnUntraced(function* (job: ClaimedJob, message: string, final: boolean) {
    yield* clear(job, job.attempt, job.attempt)
    const became = yield* publication.fail(job.videoId ?? 0, job.lease, message, final)
    yield* Effect.logWarning(
      `Job ${job.id} (${job.type}) ${became === "failed" ? "failed" : "is tried again later"}: ${message}`
    )
  })

  const settle = Effect.fnUntraced(function* (job: ClaimedJob, exit: Exit.Exit<void, JobFailure>) {
    if (Exit.isSuccess(exit)) return
    if (Cause.hasInterruptsOnly(exit.cause)) {
      yield* clear(job, job.attempt, job.attempt)
      return yield* board.release(job.lease)
    }
    const error = Cause.findErrorOption(exit.cause)
    if (Option.isNone(error)) {
      yield* Effect.logError(`Job ${job.id} (${job.type}) died`, exit.cause)
      return yield* failed(job, Cause.pretty(exit.cause).slice(0, 2000), false)
    }
    switch (error.value._tag) {
      case "LeaseLost":
        // Attempts of a job that goes on may have the same number.
        if (yield* board.isDropped(job.id)) yield* clear(job, job.attempt, job.attempt)
        return yield* Effect.logWarning(`Job ${job.id} (${job.type}) is somebody else's now`)
      case "DatabaseUnavailable":
        return yield* error.value
      case "ProcessingFailed":
        return yield* failed(job, error.value.message, error.value.final)
      case "VideoChanged":
        return yield* failed(job, "The video was deleted or changed its privacy meanwhile", false)
      default:
        return yield* failed(job, error.value.message, false)
    }
  })

  const work = Effect.fn("WorkerPool.work")(function* (job: ClaimedJob, run: JobRunner, bell: Queue.Queue<void>) {
    yield* clear(job, 1, job.attempt - 1)
    yield* seenThrough(Effect.raceAllFirst([run(job), heartbeat(job), dropped(job, bell)]), (exit) =>
      settle(job, exit).pipe(Effect.catchTag("LeaseLost", () => Effect.void))
    )
  })

  const worker = Effect.fnUntraced(function* (types: ReadonlyArray<string>, run: JobRunner): Effect.fn.Return<never> {
    const bell = yield* Queue.sliding<void>(1)
    bells.add(bell)
    return yield* jobAfterJob({
      board,
      claim: board.claim(types, settings.owner, lease),
      handle: (job) => work(job, run, bell),
      rung: Queue.take(bell)
    }).pipe(Effect.ensuring(Effect.sync(() => bells.delete(bell))))
  })

  const ring = Effect.suspend(() => Effect.forEach(bells, (bell) => Queue.offer(bell, undefined), { discard: true }))

  return WorkerPool.of({ worker, listen: ringing(board, ring) })
})

/** Takes jobs from the board and sees them through. */
export class WorkerPool extends Context.Service<
  WorkerPool,
  {
    /** Works on one job of these types after another, for ever. An interrupted job is handed back unharmed. */
    readonly worker: (types: ReadonlyArray<string>, run: JobRunner) => Effect.Effect<never>
    /** Wakes workers when there is something to do. */
    readonly listen: Effect.Effect<never>
  }
>()("@kinora/node/processing/WorkerPool") {
  static readonly layer = Layer.effect(WorkerPool, make)
}
