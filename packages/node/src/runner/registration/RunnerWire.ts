import { RunnerJobState, runnerJobState } from "@kinora/domain/enums/RunnerJobState"
import type { Runner, RunnerJobAdmin } from "@kinora/domain/wire/Runner"
import type { RunnerJobRow } from "@kinora/storage/runner/RunnerJobRow"
import type { RunnerRow } from "@kinora/storage/runner/RunnerLists"
import { DateTime } from "effect"

/** A time from the database in API format. */
export const iso = (date: Date): string => DateTime.formatIso(DateTime.fromDateUnsafe(date))

const isoOrNull = (date: Date | null): string | null => (date === null ? null : iso(date))

/** A runner as administrators see it (contract: Runner). */
export const runnerWire = (row: RunnerRow): Runner => ({
  id: row.id,
  name: row.name,
  description: row.description,
  ip: row.ip,
  version: row.version,
  lastContact: iso(row.lastContact),
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt)
})

/** States in which no runner holds or held the job. */
const unheld: ReadonlySet<number> = new Set([RunnerJobState.pending, RunnerJobState.waitingForParent])

/** The present or last holder of a job. A node is shown like a runner, under an id that no runner has. */
const holderOf = (row: RunnerJobRow): RunnerJobAdmin["runner"] => {
  if (row.node !== null) return { id: 0, name: row.node, description: "A node of this instance" }
  return row.runnerId === null ? null : { id: row.runnerId, name: row.runnerName!, description: row.runnerDescription }
}

/** A job as runners see it (contract: RunnerJob), with its fields in the order of the recorded answers. */
export const runnerJobWire = (row: RunnerJobRow): Omit<RunnerJobAdmin, "privatePayload"> => ({
  uuid: row.uuid,
  type: row.type,
  state: runnerJobState(row.state),
  progress: row.progress,
  priority: row.priority,
  failures: row.failures,
  error: row.error,
  payload: row.payload,
  startedAt: isoOrNull(row.startedAt),
  finishedAt: isoOrNull(row.finishedAt),
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
  parent:
    row.parentId === null
      ? null
      : {
          id: row.parentId,
          uuid: row.parentUuid!,
          type: row.parentType!,
          state: runnerJobState(row.parentState!)
        },
  runner: unheld.has(row.state) ? null : holderOf(row)
})

/** The same with the private fields (contract: RunnerJobAdmin). */
export const runnerJobAdminWire = (row: RunnerJobRow): RunnerJobAdmin => ({
  ...runnerJobWire(row),
  privatePayload: row.privatePayload
})
