import { Metric } from "effect"

const attempts = Metric.counter("kinora_job_attempts_total", {
  description: "Attempts at jobs that ended, by type and how they did",
  incremental: true
})

/** `delayed`: another attempt follows. `lost`: its worker died. An attempt whose transaction is rolled back is counted, too. */
export type AttemptOutcome = "completed" | "delayed" | "failed" | "lost"

/** Counts an attempt at a job. */
export const countAttempt = (type: string, outcome: AttemptOutcome) =>
  Metric.update(Metric.withAttributes(attempts, { type, outcome }), 1)
