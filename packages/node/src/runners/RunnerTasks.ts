import { Duration, Effect, Layer } from "effect"
import { every } from "../processing/Housekeeping.ts"
import { Supervisor } from "../supervision/Supervisor.ts"
import { RunnerJobs } from "./RunnerJobs.ts"
import { RunnerResults } from "./RunnerResults.ts"

/** Looks for runners that have fallen silent, and for results nobody needs any more. */
export const runnerTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const jobs = yield* RunnerJobs
    const results = yield* RunnerResults
    yield* supervisor.run("silent runners", every(Duration.seconds(10), jobs.takeBack))
    yield* supervisor.run("results of runners", every(Duration.minutes(10), results.sweep))
  })
)
