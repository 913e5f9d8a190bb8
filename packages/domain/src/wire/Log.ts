import { Schema } from "effect"
import { serverLogLevels } from "../enums/LogLevel.ts"
import { Timestamp } from "./Scalars.ts"

/** A line of the node's log, with what was noted beside the message. */
export const LogRow = Schema.Struct({
  timestamp: Schema.String,
  level: Schema.Literals(serverLogLevels),
  message: Schema.String,
  tags: Schema.Array(Schema.String),
  err: Schema.optionalKey(Schema.Struct({ stack: Schema.String })),
  meta: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
}).annotate({ identifier: "LogRow" })
export type LogRow = typeof LogRow.Type

export const LogRows = Schema.Array(LogRow)

const Facts = Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))

/** What somebody did as an administrator or moderator. */
export const AuditLogRow = Schema.Struct({
  timestamp: Timestamp,
  level: Schema.Literal("audit"),
  /** Null: the operator, in a shell. */
  user: Schema.NullOr(Schema.String),
  domain: Schema.String,
  action: Schema.String,
  target: Facts,
  before: Facts,
  after: Facts
}).annotate({ identifier: "AuditLogRow" })
export type AuditLogRow = typeof AuditLogRow.Type

export const AuditLogRows = Schema.Array(AuditLogRow)
