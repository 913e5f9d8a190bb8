import { labelled } from "./Labelled.ts"

/** Where a job for runners stands (contract: RunnerJobState). */
export type RunnerJobState = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
export const RunnerJobState = {
  pending: 1,
  processing: 2,
  completed: 3,
  errored: 4,
  waitingForParent: 5,
  cancelled: 6,
  parentErrored: 7,
  parentCancelled: 8,
  completing: 9
} as const
export const runnerJobStates: ReadonlyArray<RunnerJobState> = [1, 2, 3, 4, 5, 6, 7, 8, 9]

const labels: Readonly<Record<RunnerJobState, string>> = {
  1: "Pending",
  2: "Processing",
  3: "Completed",
  4: "Errored",
  5: "Waiting for parent job to finish",
  6: "Cancelled",
  7: "Parent job failed",
  8: "Parent job cancelled",
  9: "Completing"
}

/** `{ id, label }` of a state. */
export const runnerJobState = (id: RunnerJobState) => labelled(id, labels)
