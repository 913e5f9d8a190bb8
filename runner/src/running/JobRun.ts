import { withoutPaths } from "@kinora/media/work/FailureCause"
import { Cause, Context, Duration, Effect, Exit, Layer, Ref } from "effect"
import { CustomUpload, destinationsOf } from "../server/CustomUpload.ts"
import { uninterrupted, withRetries } from "../server/RetryPolicy.ts"
import type { FormFile } from "../server/Multipart.ts"
import { type Job, RunnerServer } from "../server/RunnerServer.ts"
import type { JobLost, ServerError, UnknownRunner } from "../server/ServerErrors.ts"
import { JobWork } from "../work/JobWork.ts"
import { CannotWork } from "../work/WorkErrors.ts"
import { WorkFolders } from "../work/WorkFolders.ts"
import { RunningJobs } from "./RunningJobs.ts"

/** How a job ended for this runner. */
export type Outcome = "done" | "lost" | "failed" | "given back"

/** How often changed progress is reported. A report is always sent before servers take the job back (30 s for live). */
const reportEvery = Duration.seconds(4)
const silentBeats = 5

/** How long the last report to a server may delay a stop. */
const abortTimeout = Duration.seconds(5)
/** Maximum time for trying to report to a server that a job failed or is given back. */
const tellingTime = Duration.minutes(10)
const longestWords = 4000

/** Upload takes its share of the time. 100 is left to the server. */
const percentOf = (fraction: number): number => Math.floor(fraction * 95)

/** Runs a job from its acceptance to its end. */
export class JobRun extends Context.Service<
  JobRun,
  {
    /** Interruption gives the job back. */
    readonly run: (job: Job) => Effect.Effect<Outcome>
  }
>()("@kinora/runner/running/JobRun") {
  static readonly layer = Layer.effect(
    JobRun,
    Effect.gen(function* () {
      const elsewhere = yield* CustomUpload
      const folders = yield* WorkFolders
      const running = yield* RunningJobs
      const server = yield* RunnerServer
      const work = yield* JobWork

      /**
       * Reports to the job's server until it answers that the job belongs to another runner. Work continues while the
       * server is down.
       */
      const beat = Effect.fnUntraced(function* (job: Job, percent: Ref.Ref<number>) {
        let reported = -1
        for (let silent = 0; ; silent += 1) {
          const now = yield* Ref.get(percent)
          if (now !== reported || silent >= silentBeats) {
            const gone = yield* server.update(job, now).pipe(
              Effect.tap(() =>
                Effect.sync(() => {
                  reported = now
                  silent = 0
                })
              ),
              Effect.as(undefined),
              Effect.catchTags({
                JobLost: (error) => Effect.succeed<JobLost | UnknownRunner>(error),
                UnknownRunner: (error) => Effect.succeed<JobLost | UnknownRunner>(error)
              }),
              Effect.catch((error) =>
                Effect.as(Effect.logDebug(`Progress was not reported: ${error.message}`), undefined)
              )
            )
            if (gone !== undefined) return yield* Effect.fail(gone)
          }
          yield* Effect.sleep(reportEvery)
        }
      })

      /**
       * Sends the result: first the files with a custom destination, then the rest. The server's answer decides whether
       * the job was still ours. If a report says that it is not, no more tries are made: a server that refuses a form
       * early often just cuts the connection.
       */
      const upload = Effect.fnUntraced(function* (job: Job, files: ReadonlyArray<FormFile>, percent: Ref.Ref<number>) {
        const gone = yield* Ref.make<JobLost | UnknownRunner | undefined>(undefined)
        const beating = Effect.catch(beat(job, percent), (error) => Effect.andThen(Ref.set(gone, error), Effect.never))
        const unlessGone = <E extends { readonly _tag: string }>(once: Effect.Effect<void, E>) =>
          withRetries(
            Effect.catchIf(
              once,
              ({ _tag }) => _tag === "ServerUnreachable",
              (error) => Effect.flatMap(Ref.get(gone), (lost) => Effect.fail(lost ?? error))
            )
          )
        const destinations = destinationsOf(job.origin, job.payload)
        if (destinations === undefined) {
          return yield* new CannotWork({
            message: "The job wants its result at an address this runner does not send to"
          })
        }
        const sending = Effect.gen(function* () {
          for (const file of files) {
            const destination = destinations.get(file.field)
            if (destination !== undefined) yield* unlessGone(elsewhere.put(job.origin, file, destination))
          }
          const rest = files.filter(({ field }) => !destinations.has(field))
          yield* unlessGone(server.succeed(job, rest))
        })
        yield* Effect.raceFirst(sending, beating)
      })

      const make = Effect.fnUntraced(function* (job: Job) {
        const folder = yield* folders
          .open(job)
          .pipe(Effect.mapError(({ message }) => new CannotWork({ message: withoutPaths(message) })))
        const percent = yield* Ref.make(0)
        const note = (fraction: number) =>
          Effect.andThen(
            Ref.set(percent, percentOf(fraction)),
            running.note(job.uuid, "download and encode", percentOf(fraction))
          )
        const files = yield* Effect.raceAllFirst([work.make(job, folder, note), beat(job, percent), folder.guard])
        yield* note(1)
        yield* running.note(job.uuid, "upload", percentOf(1))
        yield* upload(job, files, percent).pipe(
          Effect.catchTag("PlatformError", ({ message }) =>
            Effect.fail(new CannotWork({ message: withoutPaths(message) }))
          )
        )
      }, Effect.scoped)

      const report = (effect: Effect.Effect<void, ServerError>) =>
        withRetries(effect, tellingTime).pipe(
          Effect.catchTag("JobLost", () => Effect.void),
          Effect.catch((error) => Effect.logWarning(`Reporting to the server failed: ${error.message}`))
        )

      /** The protocol requires a message of limited length. */
      const words = (text: string) => (text.trim() === "" ? "The reason is unknown" : text.slice(-longestWords))

      const giveBack = (job: Job, reason: string) => report(server.abort(job, reason))

      const conclude = Effect.fnUntraced(function* (
        job: Job,
        error: ServerError | CannotWork | { readonly _tag: "WorkFailed"; readonly message: string }
      ): Effect.fn.Return<Outcome> {
        switch (error._tag) {
          case "JobLost":
          case "UnknownRunner":
            yield* Effect.logInfo(`The job no longer belongs to this runner: ${error.message}`)
            return "lost"
          case "CannotWork":
          case "ServerUnreachable":
            yield* Effect.logWarning(`The job is returned: ${error.message}`)
            yield* giveBack(job, words(error.message))
            return "given back"
          default:
            yield* Effect.logError(`The job failed: ${error.message}`)
            yield* report(server.fail(job, words(error.message)))
            return "failed"
        }
      })

      const run = Effect.fn("JobRun.run")(function* (job: Job) {
        yield* running.begin(job)
        yield* Effect.logInfo("Job started")
        return yield* make(job).pipe(
          Effect.as<Outcome>("done"),
          Effect.catch((error) => conclude(job, error)),
          Effect.catchDefect((defect) =>
            Effect.andThen(
              Effect.logError("The job failed because of a defect in this program", defect),
              Effect.as(giveBack(job, "The runner has a fault"), "given back" as const)
            )
          ),
          Effect.onExit((exit) =>
            Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause)
              ? uninterrupted(Effect.timeout(server.abort(job, "The runner is stopped"), abortTimeout)).pipe(
                  Effect.andThen(Effect.logInfo("The job is returned: the runner is stopping")),
                  Effect.catch((error) => Effect.logWarning(`The job could not be returned: ${error.message}`))
                )
              : Effect.void
          ),
          Effect.tap((outcome) => Effect.logInfo(`The job is ${outcome}`)),
          Effect.ensuring(running.end(job.uuid))
        )
      })

      return JobRun.of({
        run: (job) => Effect.annotateLogs(run(job), { job: job.uuid, type: job.type, server: job.origin })
      })
    })
  )
}
