import type { JobState as ShownState } from "@kinora/domain/enums/JobState"
import { defaultPage, type Sort } from "@kinora/domain/requests/Pagination"
import type { Job as Wire } from "@kinora/domain/wire/Job"
import type { BacklogEntry, BacklogQuery } from "@kinora/storage/federation/outbox/FederationBacklog"
import type { Job, JobState } from "@kinora/storage/platform/jobs/Job"
import type { JobQuery } from "@kinora/storage/platform/jobs/JobLists"
import { DateTime, Predicate } from "effect"
import { mailJobType, requestedMailType } from "../../platform/mail/Mailer.ts"

interface Query {
  readonly start?: number
  readonly count?: number
  readonly sort?: Sort<"createdAt">
  readonly jobType?: string
}

/**
 * Our job states for each state of the contract. A paused job counts as waiting; we have no separate state for urgent
 * jobs.
 */
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

/** The query for `GET /jobs/{state}`; newest first by default. */
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

/** Only the kind of a mail, or of a request for one, is shown: the rest is private to the recipient. */
const shown = (job: Job): unknown =>
  job.type === mailJobType || job.type === requestedMailType
    ? { kind: Predicate.hasProperty(job.payload, "kind") ? job.payload.kind : null }
    : job.payload

/** The contract has no state for cancelled jobs: they ended without success. */
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

/** The same question to what federation has to send: the board's pause does not hold that up. */
export const backlogQuery = ({ oldestFirst = false, paused, states, type }: JobQuery, count: number): BacklogQuery => ({
  states: paused === true ? [] : (states ?? ["waiting", "delayed"]),
  type,
  count,
  oldestFirst
})

/** Something that is to be sent, in the form of a job. */
export const backlogWire = ({ attempts, createdAt, error, id, state, subject, type }: BacklogEntry): Wire => ({
  id,
  state,
  type,
  data: { subject, attempts },
  error: error === null ? null : { message: error },
  priority: 0,
  progress: 0,
  createdAt: time(createdAt)!,
  processedOn: null,
  finishedOn: null
})
