import { Schema } from "effect"
import { NullableTimestamp, Page, Timestamp } from "./Scalars.ts"

/** One job of the board (contract: Job). */
export const Job = Schema.Struct({
  id: Schema.Union([Schema.Int, Schema.String]),
  state: Schema.String,
  type: Schema.String,
  data: Schema.Unknown,
  error: Schema.Unknown,
  priority: Schema.Finite,
  progress: Schema.Finite,
  createdAt: Timestamp,
  processedOn: NullableTimestamp,
  finishedOn: NullableTimestamp,
  parent: Schema.optionalKey(Schema.Struct({ id: Schema.String }))
}).annotate({ identifier: "Job" })
export type Job = typeof Job.Type

export const JobList = Page(Job).annotate({ identifier: "JobList" })
