import type { JobState as ShownState } from "@kinora/domain/enums/JobState"
import { defaultPage, type Sort } from "@kinora/domain/requests/Pagination"
import type { Job as Wire } from "@kinora/domain/wire/Job"
import type { Job, JobState } from "@kinora/storage/platform/jobs/Job"
import type { JobQuery } from "@kinora/storage/platform/jobs/JobUpkeep"
import { DateTime, Predicate } from "effect"
import { mailJobType } from "../../platform/mail/Mailer.ts"

interface Query {
  readonly start?: number
  readonly count?: number
  readonly sort?: Sort<"createdAt">
  readonly jobType?: string
}

/** Our states by those of the contract. A paused job is one that waits; none is urgent in a state of its own. */
const states: Readonly<Record<ShownState, ReadonlyArray<JobState>>> = {
  active: ["active"],
  completed: ["completed"],
  failed: ["failed", "cancelled"],
  waiting: ["waiting"],
  delayed: ["delayed"],
  paused: ["waiting"],
  "waiting-children": ["waiting-children"],
  prioritized: []
}

/** What `GET /jobs/{state}` asks of the board; newest first unless it says otherwise. */
export const jobQuery = (state: ShownState | undefined, query: Query): JobQuery => ({
  ...defaultPage,
  ...(query.start === undefined ? {} : { start: query.start }),
  ...(query.count === undefined ? {} : { count: query.count }),
  states: state === undefined ? undefined : states[state],
  paused: state === "paused",
  type: query.jobType,
  oldestFirst: query.sort !== undefined && !query.sort.descending
})

const time = (date: Date | null): string | null =>
  date === null ? null : DateTime.formatIso(DateTime.fromDateUnsafe(date))

/** Of a mail nothing but its kind is shown: the rest is between us and the recipient. */
const shown = (job: Job): unknown =>
  job.type === mailJobType
    ? { kind: Predicate.hasProperty(job.payload, "kind") ? job.payload.kind : null }
    : job.payload

/** The contract has no state for what was given up: it ended without being done. */
const errorOf = ({ error, state }: Job) => {
  const words = error ?? (state === "cancelled" ? "Cancelled" : null)
  return words === null ? null : { message: words }
}

/** A job as clients read it (contract: Job). */
export const jobWire = (job: Job): Wire => ({
  id: job.id,
  state: job.state === "cancelled" ? "failed" : job.state,
  type: job.type,
  data: shown(job),
  error: errorOf(job),
  priority: job.priority,
  progress: job.progress ?? 0,
  createdAt: time(job.createdAt)!,
  processedOn: time(job.startedAt),
  finishedOn: time(job.finishedAt)
})
