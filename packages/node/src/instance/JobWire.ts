import type { JobState as ShownState } from "@kinora/domain/enums/JobState"
import { defaultPage, type Sort } from "@kinora/domain/requests/Pagination"
import type { Job as Wire } from "@kinora/domain/wire/Job"
import type { Job, JobState } from "@kinora/storage/jobs/Job"
import type { JobQuery } from "@kinora/storage/jobs/JobUpkeep"
import { DateTime, Predicate } from "effect"
import { mailJobType } from "../mail/Mailer.ts"

interface Query {
  readonly start?: number
  readonly count?: number
  readonly sort?: Sort<"createdAt">
  readonly jobType?: string
}

/** States that exist with us; the others of the contract select nothing. */
const kept: ReadonlySet<string> = new Set<JobState>([
  "waiting",
  "waiting-children",
  "active",
  "delayed",
  "completed",
  "failed"
])

/** What `GET /jobs/{state}` asks of the board; newest first unless it says otherwise. */
export const jobQuery = (state: ShownState | undefined, query: Query): JobQuery => ({
  ...defaultPage,
  ...(query.start === undefined ? {} : { start: query.start }),
  ...(query.count === undefined ? {} : { count: query.count }),
  states: state === undefined ? undefined : kept.has(state) ? [state as JobState] : [],
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

/** A job as clients read it (contract: Job). */
export const jobWire = (job: Job): Wire => ({
  id: job.id,
  state: job.state,
  type: job.type,
  data: shown(job),
  error: job.error === null ? null : { message: job.error },
  priority: job.priority,
  progress: job.progress ?? 0,
  createdAt: time(job.createdAt)!,
  processedOn: time(job.startedAt),
  finishedOn: time(job.finishedAt)
})
