import { Schema } from "effect"
import { Problem } from "./ProblemError.ts"

/** No such report, or one that is no business of who asks. */
export class AbuseNotFound extends Problem<AbuseNotFound>()("AbuseNotFound", {
  status: 404,
  detail: "Report not found"
}) {}

/** The report has no such message. */
export class AbuseMessageNotFound extends Problem<AbuseMessageNotFound>()("AbuseMessageNotFound", {
  status: 404,
  detail: "Message not found"
}) {}

/** No message can be added to the report. */
export class AbuseMessageRefused extends Problem<AbuseMessageRefused>()("AbuseMessageRefused", {
  status: 400,
  detail: ({ reason }) => reason,
  fields: { reason: Schema.String }
}) {}
