import { Schema } from "effect"
import { NullableString, NullableTimestamp } from "./Scalars.ts"

/** How the work on the files of a video stands. */
export const VideoProcessing = Schema.Struct({
  /** `delayed`: an attempt failed, and another one follows by itself. `failed`: none follows. */
  state: Schema.Literals(["done", "waiting", "active", "delayed", "failed"]),
  /** Type of the job, as `GET /jobs` names it; null when it is done, or not known any more. */
  jobType: NullableString,
  /** Why the last attempt failed. */
  error: NullableString,
  attempts: Schema.Int,
  maxAttempts: Schema.Int,
  /** 0 to 100; null while that is not known. */
  progress: Schema.NullOr(Schema.Int),
  nextAttemptAt: NullableTimestamp
}).annotate({ identifier: "VideoProcessing" })
export type VideoProcessing = typeof VideoProcessing.Type
