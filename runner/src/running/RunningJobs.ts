import { Clock, Context, Effect, Layer } from "effect"
import type { Job } from "../server/RunnerServer.ts"

/** The phase of a job. */
export type Phase = "download and encode" | "upload"

/** A running job of this process. `percent` is an integer; `since` milliseconds since 1970. */
export interface RunningJob {
  readonly uuid: string
  readonly type: string
  readonly origin: string
  readonly phase: Phase
  readonly percent: number
  readonly since: number
}

/** The running jobs of this process, for display. */
export class RunningJobs extends Context.Service<
  RunningJobs,
  {
    readonly all: Effect.Effect<ReadonlyArray<RunningJob>>
    readonly begin: (job: Job) => Effect.Effect<void>
    readonly note: (uuid: string, phase: Phase, percent: number) => Effect.Effect<void>
    readonly end: (uuid: string) => Effect.Effect<void>
  }
>()("@kinora/runner/running/RunningJobs") {
  static readonly layer = Layer.sync(RunningJobs, () => {
    const jobs = new Map<string, RunningJob>()
    return RunningJobs.of({
      all: Effect.sync(() => [...jobs.values()]),
      begin: ({ origin, type, uuid }) =>
        Effect.map(Clock.currentTimeMillis, (since) => {
          jobs.set(uuid, { uuid, type, origin, since, phase: "download and encode", percent: 0 })
        }),
      note: (uuid, phase, percent) =>
        Effect.sync(() => {
          const job = jobs.get(uuid)
          if (job !== undefined) jobs.set(uuid, { ...job, phase, percent })
        }),
      end: (uuid) => Effect.sync(() => void jobs.delete(uuid))
    })
  })
}
