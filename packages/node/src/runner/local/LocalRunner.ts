import { RunnerJobState } from "@kinora/domain/enums/RunnerJobState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { type NodeRunnerJob, NodeRunnerJobs } from "@kinora/storage/runner/NodeRunnerJobs"
import { RunnerJobBoard } from "@kinora/storage/runner/RunnerJobBoard"
import { Cause, Context, Data, Duration, Effect, Exit, Layer, Option, Schedule } from "effect"
import { createReadStream } from "node:fs"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { ClaimGate } from "../../platform/jobs/Workers.ts"
import { seenThrough, throughOutages } from "../../platform/jobs/JobAfterJob.ts"
import { EncodeSlots } from "../../video/process/EncodeSlots.ts"
import { ProcessingSettings } from "../../video/process/ProcessingSettings.ts"
import { WorkFolders } from "../../video/process/WorkFolders.ts"
import { hashToken } from "../../people/session/TokenHash.ts"
import { type Arriving, type ResultRefused, RunnerResults } from "../job/RunnerResults.ts"
import { newJobToken } from "../registration/RunnerTokens.ts"
import { LocalWork, type LocalWorkFailed, type LocalWorkPrevented, localTypes, type MadeFile } from "./LocalWork.ts"
import { type End, preventedJobs } from "./PreventedJobs.ts"

const beatEvery = Duration.seconds(4)
/** Jobs become old enough without any notification. */
const lookEvery = Duration.seconds(5)
const databaseWait = Duration.seconds(1)
/** After a problem that does not concern one job alone, this node leaves all jobs to others for a while. */
const restAfterTrouble = Duration.minutes(1)
/** Maximum time to report a job's end while the database is unavailable. After that, the lease decides. */
const lastWordTime = Duration.seconds(5)
const longestWords = 4000
const readBytes = 256 * 1024

/** The job was cancelled, or given to another runner. */
class JobGone extends Data.TaggedError("JobGone")<{}> {}

type Failure = JobGone | LocalWorkFailed | LocalWorkPrevented | ResultRefused | DatabaseUnavailable

/** How a round ended: nothing to do, worked, a job that this node cannot do, or a problem of this node. */
type Round = "idle" | "worked" | "prevented" | "troubled"

/** Delivery takes its share of the time. */
const percentOf = (fraction: number): number => Math.floor(fraction * 95)

const make = Effect.gen(function* () {
  const { owner } = yield* ProcessingSettings
  const { remote_runners, transcoding } = yield* KinoraConfig
  const board = yield* RunnerJobBoard
  const folders = yield* WorkFolders
  const jobs = yield* NodeRunnerJobs
  const results = yield* RunnerResults
  const slots = yield* EncodeSlots
  const work = yield* LocalWork

  const after = Duration.fromInputUnsafe(transcoding.remote_runners.local_after)
  const isWanted = () => transcoding.remote_runners.enabled && Duration.isFinite(after)
  const preventions = yield* preventedJobs
  /** Tokens of claims that got no answer but may have been written. */
  const unanswered = new Set<Uint8Array>()

  const lease = Duration.fromInputUnsafe(remote_runners.stalled_jobs.vod)
  const beat = Duration.min(beatEvery, Duration.times(lease, 1 / 4))

  /** Renews the lease and reports progress. Losing the job interrupts the work. */
  const beating = (job: NodeRunnerJob, tokenHash: Uint8Array, percent: () => number, handedIn: () => boolean) =>
    throughOutages(
      Effect.forever(
        Effect.gen(function* () {
          const held = yield* board.report(job.id, tokenHash, percent(), lease)
          // After delivery the job is no longer held because it is done. Otherwise the delivery itself fails.
          if (!held) return yield* handedIn() ? Effect.never : new JobGone()
          yield* Effect.sleep(beat)
        })
      )
    )

  const deliver = Effect.fnUntraced(function* (arriving: Arriving, { field, path }: MadeFile) {
    const sink = yield* arriving.file(field)
    const file = yield* Effect.acquireRelease(
      Effect.sync(() => createReadStream(path, { highWaterMark: readBytes })),
      (open) => Effect.sync(() => open.destroy())
    )
    const chunks = file[Symbol.asyncIterator]()
    for (;;) {
      const { done, value } = yield* Effect.promise(() => chunks.next())
      if (done === true) return yield* sink.end
      yield* sink.write(value as Uint8Array)
    }
  }, Effect.scoped)

  /** From here on nobody else knows of the result: it is removed unless it is recorded. */
  const handIn = (job: NodeRunnerJob, tokenHash: Uint8Array, arriving: Arriving) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const result = yield* arriving.finish
        const noted = yield* board.complete(job.id, tokenHash, result).pipe(
          Effect.retry({
            while: ({ _tag }) => _tag === "DatabaseUnavailable",
            schedule: Schedule.max([Schedule.spaced(databaseWait), Schedule.during(lease)])
          }),
          restore,
          Effect.onError(() => results.remove(result))
        )
        if (noted) return
        yield* results.remove(result)
        return yield* new JobGone()
      })
    )

  const through = Effect.fnUntraced(function* (
    job: NodeRunnerJob,
    tokenHash: Uint8Array
  ): Effect.fn.Return<void, Failure> {
    let percent = 0
    let handedIn = false
    const note = (fraction: number) => Effect.sync(() => void (percent = percentOf(fraction)))
    const all = Effect.gen(function* () {
      const folder = yield* folders.make({ uuid: job.uuid, attempt: job.accepted })
      const files = yield* work.make(job, folder, note)
      yield* note(1)
      const arriving = yield* results.begin(job.type)
      for (const file of files) yield* deliver(arriving, file)
      handedIn = true
      yield* handIn(job, tokenHash, arriving)
    }).pipe(Effect.scoped)
    yield* Effect.raceFirst(
      all,
      beating(
        job,
        tokenHash,
        () => percent,
        () => handedIn
      )
    )
  })

  /** Tries for that long to record the end. Returns whether it succeeded. */
  const giveBack = Effect.fnUntraced(function* (
    job: NodeRunnerJob,
    tokenHash: Uint8Array,
    end: End,
    limit: Duration.Duration
  ) {
    const words = end.words.slice(-longestWords)
    const outcome = `Job ${job.uuid} (${job.type}) ${end.failed ? "failed" : "is given back"}`
    return yield* board.giveBack(job.id, tokenHash, { ...end, words }).pipe(
      Effect.retry(Schedule.max([Schedule.spaced("500 millis"), Schedule.during(limit)])),
      Effect.flatMap((became) => {
        const final = Option.contains(became, RunnerJobState.errored) ? ", for the last time" : ""
        return Effect.as(Effect.logWarning(`${outcome}${final}: ${words}`), true)
      }),
      Effect.catch((error) =>
        Effect.as(Effect.logWarning(`${outcome}, which could not be noted: ${words}`, error), false)
      )
    )
  })

  /** How to give the job back. Undefined if it is done or has another holder. */
  const endOf = Effect.fnUntraced(function* (
    job: NodeRunnerJob,
    exit: Exit.Exit<void, Failure>
  ): Effect.fn.Return<End | undefined> {
    if (Exit.isSuccess(exit)) {
      preventions.forget(job.uuid)
      yield* Effect.logInfo(`Job ${job.uuid} (${job.type}) was completed by this node`)
      return undefined
    }
    if (Cause.hasInterruptsOnly(exit.cause)) return { failed: false, words: "The node was stopped" }
    const found = Cause.findErrorOption(exit.cause)
    if (Option.isNone(found)) {
      yield* Effect.logError(`Job ${job.uuid} (${job.type}) failed unexpectedly`, exit.cause)
      return { failed: true, words: "Internal error of the node" }
    }
    const error = found.value
    switch (error._tag) {
      case "JobGone":
        yield* Effect.logInfo(`Job ${job.uuid} (${job.type}) was taken from this node`)
        return undefined
      case "LocalWorkFailed":
        return { failed: true, words: error.words }
      case "LocalWorkPrevented":
        return yield* preventions.endOf(job, error.words)
      case "DatabaseUnavailable":
      case "InsufficientStorage":
        return { failed: false, words: error.message }
      default:
        return { failed: true, words: `The result was rejected: ${error.message}` }
    }
  })

  const hold = Effect.fn("LocalRunner.hold")(function* (job: NodeRunnerJob, tokenHash: Uint8Array) {
    const last: { end?: End | undefined; noted: boolean } = { noted: true }
    yield* Effect.logInfo(`Job ${job.uuid} (${job.type}) waited too long for a runner. This node does it.`)
    yield* seenThrough(through(job, tokenHash), (exit) =>
      Effect.gen(function* () {
        last.end = yield* endOf(job, exit)
        if (last.end !== undefined) last.noted = yield* giveBack(job, tokenHash, last.end, lastWordTime)
      })
    )
    const { end, noted } = last
    // Without the database there is nothing else to do. After the lease has run out, the job is free anyway.
    if (end !== undefined && !noted) yield* giveBack(job, tokenHash, end, lease)
    if (end === undefined || end.failed) return "worked" as const
    return end.prevented === true ? ("prevented" as const) : ("troubled" as const)
  })

  const round = (pendingFor: Duration.Duration) =>
    slots.within(
      // An interrupted claim may still have been written.
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* (): Effect.fn.Return<Round, DatabaseUnavailable> {
          for (const unsure of unanswered) {
            yield* jobs.unclaim(owner, unsure)
            unanswered.delete(unsure)
          }
          const tokenHash = hashToken(newJobToken())
          const except = yield* preventions.leftToOthers
          const claimed = yield* jobs
            .claim({ types: localTypes, node: owner, tokenHash, lease, pendingFor, except })
            .pipe(Effect.onError(() => Effect.sync(() => void unanswered.add(tokenHash))))
          return Option.isNone(claimed) ? "idle" : yield* restore(hold(claimed.value, tokenHash))
        })
      )
    )

  const pauses: Record<Round, Duration.Input> = {
    idle: lookEvery,
    worked: 0,
    prevented: lookEvery,
    troubled: restAfterTrouble
  }

  return LocalRunner.of({
    get enabled() {
      return isWanted()
    },
    once: round(after),
    forever: Effect.forever(
      Effect.flatMap(ClaimGate, (gate) =>
        Effect.andThen(gate, isWanted() ? round(after) : Effect.succeed<Round>("idle"))
      ).pipe(
        Effect.flatMap((how) => Effect.sleep(pauses[how])),
        Effect.catchTag("DatabaseUnavailable", () => Effect.sleep(databaseWait))
      )
    ),
    takeBack: Effect.gen(function* () {
      const taken = yield* jobs.endFormer(owner)
      for (const uuid of taken)
        yield* Effect.logWarning(`Job ${uuid} was interrupted when this node stopped unexpectedly`)
    })
  })
})

/**
 * Does runner jobs that no runner takes (`transcoding.remote_runners.local_after`). It works like a runner without
 * HTTP: same board, same lease, same delivery.
 */
export class LocalRunner extends Context.Service<
  LocalRunner,
  {
    /** Whether this node does such jobs now. */
    readonly enabled: boolean
    /** Does one job, if one has waited long enough. If interrupted, the job is given back without a failure. */
    readonly once: Effect.Effect<Round, DatabaseUnavailable>
    /** Does one job after another, while runners transcode. */
    readonly forever: Effect.Effect<never>
    /** On start: releases the jobs that this node held before. */
    readonly takeBack: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/runners/local/LocalRunner") {
  static readonly layer = Layer.effect(LocalRunner, make)
}
