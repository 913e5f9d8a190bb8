import { RunnerJobState } from "@kinora/domain/enums/RunnerJobState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { type NodeRunnerJob, NodeRunnerJobs } from "@kinora/storage/runners/NodeRunnerJobs"
import { RunnerJobBoard } from "@kinora/storage/runners/RunnerJobBoard"
import { Cause, Context, Data, Duration, Effect, Exit, Layer, Option, Schedule } from "effect"
import { createReadStream } from "node:fs"
import { KinoraConfig } from "../../config/Config.ts"
import { seenThrough, throughOutages } from "../../jobs/JobAfterJob.ts"
import { EncodeSlots } from "../../processing/EncodeSlots.ts"
import { ProcessingSettings } from "../../processing/ProcessingSettings.ts"
import { WorkFolders } from "../../processing/WorkFolders.ts"
import { hashToken } from "../../sessions/TokenHash.ts"
import { type Arriving, type ResultRefused, RunnerResults } from "../RunnerResults.ts"
import { newJobToken } from "../RunnerTokens.ts"
import { LocalWork, type LocalWorkFailed, type LocalWorkPrevented, localTypes, type MadeFile } from "./LocalWork.ts"

const beatEvery = Duration.seconds(4)
/** Jobs come of age without a notice. */
const lookEvery = Duration.seconds(5)
const databaseWait = Duration.seconds(1)
/** After this node could not do a job, it leaves all of them to others for a while. */
const restAfterTrouble = Duration.minutes(1)
/** What the last word on a job may take while the database is away: then its lease decides. */
const lastWordTime = Duration.seconds(5)
const longestWords = 4000
const readBytes = 256 * 1024

/** The job was cancelled, or given to somebody else. */
class JobGone extends Data.TaggedError("JobGone")<{}> {}

type Failure = JobGone | LocalWorkFailed | LocalWorkPrevented | ResultRefused | DatabaseUnavailable

/** How a round ended: with nothing to do, with work, or with trouble of this node's own. */
type Round = "idle" | "worked" | "troubled"

/** Handing in takes its share of the time. */
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

  const lease = Duration.fromInputUnsafe(remote_runners.stalled_jobs.vod)
  const beat = Duration.min(beatEvery, Duration.times(lease, 1 / 4))

  /** Renews the lease and tells of progress; a job that is this node's no more ends the work on it. */
  const beating = (job: NodeRunnerJob, tokenHash: Uint8Array, percent: () => number, handedIn: () => boolean) =>
    throughOutages(
      Effect.forever(
        Effect.gen(function* () {
          const held = yield* board.report(job.id, tokenHash, percent(), lease)
          // Once it is handed in, it is no more held because it is done, or whoever hands in is told.
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

  /** From here on nobody else knows of the result: what is not noted is removed. */
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

  const giveBack = Effect.fnUntraced(function* (
    job: NodeRunnerJob,
    tokenHash: Uint8Array,
    end: { readonly failed: boolean; readonly words: string }
  ) {
    const words = end.words.slice(-longestWords)
    const told = `Job ${job.uuid} (${job.type}) ${end.failed ? "failed" : "is given back"}`
    yield* board.giveBack(job.id, tokenHash, { failed: end.failed, words }).pipe(
      Effect.retry(Schedule.max([Schedule.spaced("500 millis"), Schedule.during(lastWordTime)])),
      Effect.flatMap((became) => {
        const final = Option.contains(became, RunnerJobState.errored) ? ", for the last time" : ""
        return Effect.logWarning(`${told}${final}: ${words}`)
      }),
      Effect.catch((error) => Effect.logWarning(`${told}, which could not be noted: ${words}`, error))
    )
  })

  /** Writes down how the work ended; gives whether this node is in trouble. */
  const settle = Effect.fnUntraced(function* (
    job: NodeRunnerJob,
    tokenHash: Uint8Array,
    exit: Exit.Exit<void, Failure>
  ): Effect.fn.Return<boolean> {
    if (Exit.isSuccess(exit)) {
      yield* Effect.logInfo(`Job ${job.uuid} (${job.type}) was done by this node`)
      return false
    }
    const back = (failed: boolean, words: string) => Effect.as(giveBack(job, tokenHash, { failed, words }), !failed)
    if (Cause.hasInterruptsOnly(exit.cause)) return yield* back(false, "The node was stopped")
    const found = Cause.findErrorOption(exit.cause)
    if (Option.isNone(found)) {
      yield* Effect.logError(`Job ${job.uuid} (${job.type}) died`, exit.cause)
      return yield* back(true, "The node met a fault of its own")
    }
    const error = found.value
    switch (error._tag) {
      case "JobGone":
        yield* Effect.logInfo(`Job ${job.uuid} (${job.type}) is this node's no more`)
        return false
      case "LocalWorkFailed":
        return yield* back(true, error.words)
      case "LocalWorkPrevented":
        return yield* back(false, error.words)
      case "DatabaseUnavailable":
      case "InsufficientStorage":
        return yield* back(false, error.message)
      default:
        return yield* back(true, `The result is of no use: ${error.message}`)
    }
  })

  const hold = Effect.fn("LocalRunner.hold")(function* (job: NodeRunnerJob, tokenHash: Uint8Array) {
    let troubled = false
    yield* Effect.logInfo(`Job ${job.uuid} (${job.type}) waited for a runner: this node does it`)
    yield* seenThrough(through(job, tokenHash), (exit) =>
      Effect.map(settle(job, tokenHash, exit), (is) => void (troubled = is))
    )
    return troubled ? ("troubled" as const) : ("worked" as const)
  })

  const round = (pendingFor: Duration.Duration) =>
    slots.within(
      // A claim that is cut short may have been written all the same.
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* (): Effect.fn.Return<Round, DatabaseUnavailable> {
          const tokenHash = hashToken(newJobToken())
          const claimed = yield* jobs.claim({ types: localTypes, node: owner, tokenHash, lease, pendingFor })
          return Option.isNone(claimed) ? "idle" : yield* restore(hold(claimed.value, tokenHash))
        })
      )
    )

  const after = Duration.fromInputUnsafe(transcoding.remote_runners.local_after)
  const pauses: Record<Round, Duration.Input> = { idle: lookEvery, worked: 0, troubled: restAfterTrouble }

  return LocalRunner.of({
    enabled: transcoding.remote_runners.enabled && Duration.isFinite(after),
    once: round(after),
    forever: Effect.forever(
      round(after).pipe(
        Effect.flatMap((how) => Effect.sleep(pauses[how])),
        Effect.catchTag("DatabaseUnavailable", () => Effect.sleep(databaseWait))
      )
    ),
    takeBack: Effect.gen(function* () {
      const taken = yield* jobs.endFormer(owner)
      for (const uuid of taken) yield* Effect.logWarning(`Job ${uuid} died with the former run of this node`)
    })
  })
})

/**
 * Does jobs of runners that no runner takes (`transcoding.remote_runners.local_after`), as a runner without HTTP: from the
 * same board, under a lease, and handed in like theirs.
 */
export class LocalRunner extends Context.Service<
  LocalRunner,
  {
    /** Whether this node is to do them. */
    readonly enabled: boolean
    /** Does one job, when one has waited long enough. An interrupted one is given back without a failure. */
    readonly once: Effect.Effect<Round, DatabaseUnavailable>
    /** Does one job after another. */
    readonly forever: Effect.Effect<never>
    /** At start: ends what the former run of this node held. */
    readonly takeBack: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/runners/local/LocalRunner") {
  static readonly layer = Layer.effect(LocalRunner, make)
}
