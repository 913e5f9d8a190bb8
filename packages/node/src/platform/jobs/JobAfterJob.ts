import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import type { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { Cause, Duration, Effect, Exit, Option, Schedule, Stream } from "effect"
import type { Wakeup } from "./Wakeup.ts"
import { ClaimGate } from "./Workers.ts"

/** Delayed jobs become due, and other processes add some, without a notice. */
const lookEvery = Duration.seconds(5)
const databaseWait = Duration.seconds(1)

/** A loop of reports that goes on when the database is back: until then nothing can be reported, and the lease decides. */
export const throughOutages = <E>(loop: Effect.Effect<never, E | DatabaseUnavailable>) =>
  loop.pipe(
    Effect.catchTag("DatabaseUnavailable", () => Effect.sleep(databaseWait)),
    Effect.forever
  ) as Effect.Effect<never, Exclude<E, DatabaseUnavailable>>

/**
 * Works on a job and has `settle` write down how that ended, also when it is interrupted. However it ended, the worker
 * lives on, unless it was interrupted itself, or the database is away: then nothing is written down.
 */
export const seenThrough = <E>(
  work: Effect.Effect<void, E>,
  settle: (exit: Exit.Exit<void, E>) => Effect.Effect<void, DatabaseUnavailable>
): Effect.Effect<void, DatabaseUnavailable> =>
  Effect.suspend(() => {
    let away: DatabaseUnavailable | undefined
    return work.pipe(
      Effect.onExit((exit) => Effect.catch(settle(exit), (error) => Effect.sync(() => void (away = error)))),
      Effect.exit,
      Effect.flatMap((exit) => {
        if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) {
          return Effect.failCause(exit.cause as Cause.Cause<never>)
        }
        return away === undefined ? Effect.void : Effect.fail(away)
      })
    )
  })

/** Notifies whenever there may be a job of these types to claim, or of any, for ever. */
export const passNotices = (
  board: JobBoard["Service"],
  notify: Effect.Effect<unknown>,
  types?: ReadonlyArray<string>
): Effect.Effect<never> =>
  Stream.runForEach(board.wakeUps, (type) =>
    type === "" || types === undefined || types.includes(type) ? notify : Effect.void
  ).pipe(Effect.andThen(Effect.die("the notices of the job board ended")))

/**
 * Claims one job after another, for ever; when there is none, waits for a wakeup or for some seconds. A job that the database
 * was away for is given back as soon as it is there again: it would wait until its lease has run out.
 */
export const jobAfterJob = (options: {
  readonly board: JobBoard["Service"]
  readonly claim: Effect.Effect<Option.Option<ClaimedJob>, DatabaseUnavailable>
  readonly handle: (job: ClaimedJob) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
  readonly wakeup: Wakeup
  /** Several workers wait for the wakeup: a notice wakes one of them and may stand for many jobs, so each wakes the next. */
  readonly shared?: boolean
}): Effect.Effect<never> => {
  const leave = ({ id, lease, type }: ClaimedJob) =>
    options.board
      .leave(lease)
      .pipe(
        Effect.retry({ while: ({ _tag }) => _tag === "DatabaseUnavailable", schedule: Schedule.spaced(databaseWait) }),
        Effect.andThen(Effect.logWarning(`The database was unavailable for job ${id} (${type}). The job starts again.`))
      )
  return Effect.gen(function* () {
    yield* yield* ClaimGate
    const job = yield* options.claim
    if (Option.isSome(job)) {
      if (options.shared === true) yield* options.wakeup.notify
      yield* Effect.catchTag(options.handle(job.value), "DatabaseUnavailable", () => leave(job.value))
    } else yield* Effect.timeoutOption(options.wakeup.wait, lookEvery)
  }).pipe(
    Effect.catchTags({ LeaseLost: () => Effect.void, DatabaseUnavailable: () => Effect.sleep(databaseWait) }),
    Effect.forever
  )
}
