/** States a job is shown in (contract: JobState). */
export const jobStates = [
  "active",
  "completed",
  "failed",
  "waiting",
  "delayed",
  "paused",
  "waiting-children",
  "prioritized"
] as const
export type JobState = (typeof jobStates)[number]
