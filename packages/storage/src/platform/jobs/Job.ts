import { Data } from "effect"

/** Job states, as `/api/v1/jobs/{state}` names them. */
export const jobStates = [
  "waiting",
  "waiting-children",
  "active",
  "delayed",
  "completed",
  "failed",
  "cancelled"
] as const
export type JobState = (typeof jobStates)[number]

export interface NewJob {
  readonly type: string
  /** Any JSON value, decoded by the worker of the type. */
  readonly payload: unknown
  /** The job is deleted with its video. */
  readonly videoId?: number | undefined
  /** Smaller is more urgent; default 100. */
  readonly priority?: number | undefined
  /** At most one job per key is unfinished at a time: enqueueing it again returns the id of that one. */
  readonly dedupeKey?: string | undefined
  /** Not before this many milliseconds from now. */
  readonly delayMillis?: number | undefined
  /** Default 5. */
  readonly maxAttempts?: number | undefined
  /** Ids of jobs that must complete first. If one fails, this one fails too. */
  readonly dependsOn?: ReadonlyArray<number> | undefined
}

/** Identifies one attempt at a job: once another worker has the job, reports of this attempt are refused. */
export interface JobLease {
  readonly id: number
  readonly token: string
}

export interface ClaimedJob {
  readonly id: number
  readonly uuid: string
  readonly type: string
  readonly payload: unknown
  readonly videoId: number | null
  /** 1 for the first attempt. */
  readonly attempt: number
  readonly maxAttempts: number
  /** The span that queued it, as the W3C header `traceparent` has it. */
  readonly traceparent: string | null
  readonly lease: JobLease
}

/** A job, for operators. */
export interface Job {
  readonly id: number
  readonly uuid: string
  readonly type: string
  readonly state: JobState
  readonly payload: unknown
  readonly priority: number
  readonly videoId: number | null
  readonly attempts: number
  readonly maxAttempts: number
  /** 0 to 100. */
  readonly progress: number | null
  readonly result: unknown
  readonly error: string | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

/** The lease expired and another worker got the job, or the job was deleted with its video. Nothing was changed. */
export class LeaseLost extends Data.TaggedError("LeaseLost")<{ readonly jobId: number }> {}
