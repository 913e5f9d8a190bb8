import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ClaimedJob, LeaseLost } from "@kinora/storage/platform/jobs/Job"
import type { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { Duration, Effect } from "effect"
import { throughOutages } from "./JobAfterJob.ts"

/**
 * How long after the last heartbeat of its worker a job is free for another: a lost node is replaced within 15 seconds,
 * and a process that hangs for eight keeps its jobs.
 */
export const jobLease = Duration.seconds(12)
const heartbeatEvery = Duration.seconds(3)

/** Renews a lease until it is lost; `percent` is recorded with each heartbeat. It continues after an outage of the database. */
export const heartbeats = (
  board: JobBoard["Service"],
  job: ClaimedJob,
  options: { readonly every?: Duration.Duration | undefined; readonly percent?: () => number | undefined } = {}
): Effect.Effect<never, LeaseLost> =>
  throughOutages(
    Effect.suspend((): Effect.Effect<void, LeaseLost | DatabaseUnavailable> =>
      board.heartbeat(job.lease, jobLease, options.percent?.())
    ).pipe(Effect.delay(options.every ?? heartbeatEvery), Effect.forever)
  )
