import { Schema } from "effect"
import { Problem } from "./ProblemError.ts"

/** There is no such copy. */
export class RedundancyNotFound extends Problem<RedundancyNotFound>()("RedundancyNotFound", {
  status: 404,
  detail: "Copy not found"
}) {}

/** The video is none that can be copied: of this instance, live, or without HLS files. */
export class NotCopied extends Problem<NotCopied>()("NotCopied", {
  status: 400,
  detail: ({ reason }) => reason,
  fields: { reason: Schema.String }
}) {}

/** There is a copy, or it is being made. */
export class CopiedAlready extends Problem<CopiedAlready>()("CopiedAlready", {
  status: 409,
  detail: "The video has been copied, or is about to be"
}) {}
