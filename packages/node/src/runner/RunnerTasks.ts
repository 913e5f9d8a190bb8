import { vodPartJobType } from "@kinora/domain/enums/RunnerJobType"
import { LiveRunnerJobs } from "@kinora/storage/runner/LiveRunnerJobs"
import { RunnerJobBoard } from "@kinora/storage/runner/RunnerJobBoard"
import { RunnerLadders } from "@kinora/storage/runner/RunnerLadders"
import { Duration, Effect, Layer } from "effect"
import { runOnce } from "../platform/cluster/Placement.ts"
import { KinoraConfig } from "../platform/config/Config.ts"
import { superviseWorkers } from "../platform/jobs/Workers.ts"
import { every } from "../platform/supervision/Every.ts"
import { ProcessingSettings } from "../video/process/ProcessingSettings.ts"
import { Supervisor } from "../platform/supervision/Supervisor.ts"
import { LocalRunner } from "./local/LocalRunner.ts"
import { localServices } from "./local/LocalServices.ts"
import { OpenRuns } from "./live/OpenRuns.ts"
import { nodeName } from "../platform/jobs/NodeName.ts"
import { PartFiles } from "./parts/PartFiles.ts"
import { RunnerJobs } from "./job/RunnerJobs.ts"
import { RunnerRegistration } from "./registration/RunnerRegistration.ts"
import { RunnerResults } from "./job/RunnerResults.ts"

/** How often the node looks for silent runners. */
const lookEvery = Duration.seconds(2)
const lookForStuck = Duration.seconds(30)
/** How long parts wait if no runner accepts parts. Then the video is given out as a whole. */
const partsWait = Duration.minutes(3)
const databaseWait = Duration.seconds(1)

/**
 * Takes jobs back from silent runners. While this node or the database is down, runners cannot report: they get the
 * time of a lease after it is back.
 */
export const watch = Effect.gen(function* () {
  const jobs = yield* RunnerJobs
  const { vod } = (yield* KinoraConfig).remote_runners.stalled_jobs
  const listened = Effect.forever(Effect.andThen(jobs.takeBack, Effect.sleep(lookEvery)))
  return yield* Effect.sleep(vod).pipe(
    Effect.andThen(listened),
    Effect.catchTag("DatabaseUnavailable", () => Effect.sleep(databaseWait)),
    Effect.forever
  )
})

const giveUpStuck = Effect.fnUntraced(function* (ladders: RunnerLadders["Service"]) {
  const ids = yield* ladders.giveUpStuck(vodPartJobType, Duration.toSeconds(partsWait))
  if (ids.length > 0) yield* Effect.logWarning(`No runner encodes parts any more. ${ids.length} videos are not split.`)
})

/** Resumes ladders that no longer wait for any job. */
const freeLadders = Effect.gen(function* () {
  const count = yield* (yield* RunnerJobBoard).freeLadders
  if (count > 0) yield* Effect.logWarning(`${count} ladders waited for runner jobs that no longer exist`)
})

/** Cancels jobs of lives that the last process of this node published: their keys open nothing any more. */
const endFormerLives = Effect.gen(function* () {
  const jobs = yield* LiveRunnerJobs
  const open = yield* OpenRuns
  const count = yield* jobs.endFormer(yield* nodeName, yield* open.uuids)
  if (count > 0) yield* Effect.logInfo(`${count} jobs of lives of the last run of this node are cancelled`)
})

const tasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const settings = yield* ProcessingSettings
    const results = yield* RunnerResults
    const local = yield* LocalRunner
    yield* Effect.ignore((yield* RunnerRegistration).first, {
      log: "Warn",
      message: "The first registration token could not be made"
    })
    yield* Effect.ignore(local.takeBack, {
      log: "Warn",
      message: "Jobs of the last run of this node could not be taken back; they are when their leases end"
    })
    yield* Effect.ignore(endFormerLives, { log: "Warn", message: "Jobs of former lives could not be cancelled" })
    yield* runOnce("silent runners", watch)
    const cuts = yield* PartFiles
    const stuck = giveUpStuck(yield* RunnerLadders)
    yield* supervisor.run("results of runners", every(Duration.minutes(10), Effect.andThen(results.sweep, cuts.sweep)))
    yield* runOnce("parts nobody takes", every(lookForStuck, stuck))
    yield* runOnce("ladders of runners", every(lookForStuck, freeLadders))
    yield* superviseWorkers("jobs of runners", () => settings.concurrency, local.forever)
  })
)

/** Takes jobs back from silent runners, removes unneeded results, and does the jobs that no runner takes. */
export const runnerTasks = tasks.pipe(Layer.provide(localServices))
