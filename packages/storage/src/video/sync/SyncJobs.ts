import type { JobBoard } from "../../platform/jobs/JobBoard.ts"

/** Type of the jobs that look into channels elsewhere, as the contract names it (JobType). */
export const syncJobType = "video-channel-import"

/** Lives that workers may lose to one look. The next one comes all the same: see `SyncWork.ensureJobs`. */
const maxCrashes = 3

export const syncKey = (syncId: number): string => `video-channel-sync:${syncId}`

/** The next look of a synchronisation; there is never more than one. */
export const enqueueLook = (jobs: JobBoard["Service"], syncId: number, delayMillis: number) =>
  jobs.enqueue({
    type: syncJobType,
    payload: { syncId },
    delayMillis,
    dedupeKey: syncKey(syncId),
    maxAttempts: maxCrashes
  })

/** All videos of a channel elsewhere, fetched once. */
export interface WholeChannel {
  readonly channelId: number
  readonly externalChannelUrl: string
  /** The synchronisation they are counted to. */
  readonly syncId: number | null
  /** Who asked for it. */
  readonly userId: number
  readonly accountId: number
}
