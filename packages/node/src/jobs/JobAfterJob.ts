import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ClaimedJob, LeaseLost } from "@kinora/storage/jobs/Job"
import type { JobBoard } from "@kinora/storage/jobs/JobBoard"
import { Cause, Duration, Effect, Exit, Option, Stream } from "effect"

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
 * lives on, unless it was interrupted itself.
 */
export const seenThrough = <E, E2>(
  work: Effect.Effect<void, E>,
  settle: (exit: Exit.Exit<void, E>) => Effect.Effect<void, E2>
): Effect.Effect<void> =>
  work.pipe(
    Effect.onExit(settle),
    Effect.exit,
    Effect.flatMap((exit) =>
      Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
        ? Effect.failCause(exit.cause as Cause.Cause<never>)
        : Effect.void
    )
  )

/** Rings whenever there may be a job of these types to claim, or of any, for ever. */
export const ringing = (
  board: JobBoard["Service"],
  ring: Effect.Effect<unknown>,
  types?: ReadonlyArray<string>
): Effect.Effect<never> =>
  Stream.runForEach(board.wakeUps, (type) =>
    type === "" || types === undefined || types.includes(type) ? ring : Effect.void
  ).pipe(Effect.andThen(Effect.die("the notices of the job board ended")))

/** Claims one job after another, for ever; when there is none, waits until `rung` or for some seconds. */
export const jobAfterJob = (options: {
  readonly claim: Effect.Effect<Option.Option<ClaimedJob>, DatabaseUnavailable>
  readonly handle: (job: ClaimedJob) => Effect.Effect<void, LeaseLost | DatabaseUnavailable>
  readonly rung: Effect.Effect<void>
  /** Rings for the next of several workers that wait for one bell: a ring wakes one of them, and may be for many jobs. */
  readonly ring?: Effect.Effect<void>
}): Effect.Effect<never> =>
  Effect.gen(function* () {
    const job = yield* options.claim
    if (Option.isSome(job)) {
      if (options.ring !== undefined) yield* options.ring
      yield* options.handle(job.value)
    } else yield* Effect.timeoutOption(options.rung, lookEvery)
  }).pipe(
    Effect.catchTags({ LeaseLost: () => Effect.void, DatabaseUnavailable: () => Effect.sleep(databaseWait) }),
    Effect.forever
  )
