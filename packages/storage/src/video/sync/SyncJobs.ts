import type { JobBoard } from "../../platform/jobs/JobBoard.ts"

/** Type of the jobs that check external channels, as the contract names it (JobType). */
export const syncJobType = "video-channel-import"

/** How many workers may crash on one check. Another check is scheduled anyway: see `SyncWork.ensureJobs`. */
const maxCrashes = 3

export const syncKey = (syncId: number): string => `video-channel-sync:${syncId}`

/** Schedules the next check of a synchronisation. There is never more than one. */
export const enqueueLook = (jobs: JobBoard["Service"], syncId: number, delayMillis: number) =>
  jobs.enqueue({
    type: syncJobType,
    payload: { syncId },
    delayMillis,
    dedupeKey: syncKey(syncId),
    maxAttempts: maxCrashes
  })

/** A request to import all videos of an external channel once. */
export interface WholeChannel {
  readonly channelId: number
  readonly externalChannelUrl: string
  /** The synchronisation that the imports belong to. */
  readonly syncId: number | null
  /** The user who requested it. */
  readonly userId: number
  readonly accountId: number
}
