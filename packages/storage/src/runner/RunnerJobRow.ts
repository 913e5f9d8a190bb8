import type { RunnerJobState } from "@kinora/domain/enums/RunnerJobState"
import type { RunnerJobType } from "@kinora/domain/enums/RunnerJobType"
import type { SqlClient } from "effect/sql/SqlClient"

/** A runner job, with its parent and its present or last holder. */
export interface RunnerJobRow {
  readonly id: number
  readonly uuid: string
  readonly type: RunnerJobType
  readonly state: RunnerJobState
  readonly progress: number | null
  readonly priority: number
  readonly failures: number
  readonly error: string | null
  readonly payload: Record<string, unknown>
  readonly privatePayload: Record<string, unknown>
  readonly videoId: number | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
  readonly parentId: number | null
  readonly parentUuid: string | null
  readonly parentType: RunnerJobType | null
  readonly parentState: RunnerJobState | null
  readonly runnerId: number | null
  readonly runnerName: string | null
  readonly runnerDescription: string | null
  /** The node that holds or held it last, instead of a runner. */
  readonly node: string | null
}

/** Columns of a job `j`, its parent `p` and its runner `r`. */
export const runnerJobColumns = (sql: SqlClient) => sql`
  j.id, j.uuid, j.type, j.state::integer as state, j.progress::integer as progress, j.priority, j.failures, j.error,
  j.payload, j.private_payload as "privatePayload", j.video_id as "videoId", j.created_at as "createdAt",
  j.updated_at as "updatedAt", j.started_at as "startedAt", j.finished_at as "finishedAt", p.id as "parentId",
  p.uuid as "parentUuid", p.type as "parentType", p.state::integer as "parentState", r.id as "runnerId",
  r.name as "runnerName", r.description as "runnerDescription", j.node`
