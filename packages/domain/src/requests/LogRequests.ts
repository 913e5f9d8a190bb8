import { Schema } from "effect"
import { constraints } from "../enums/Constraints.ts"
import { clientLogLevels, serverLogLevels } from "../enums/LogLevel.ts"
import { field, optional } from "../fields/Field.ts"
import { instant, listOf, nullable, oneOf, text } from "../fields/Readers.ts"
import { query } from "./Query.ts"

const time = instant("Must be a date and time in ISO 8601")
const tag = text({ min: 1, max: 100, message: "Must be tags of at most 100 characters" })

/** Query of `GET /server/logs`. Without a begin: the newest lines. */
export const logsQuery = query({
  startDate: time,
  endDate: time,
  level: oneOf(serverLogLevels, `Must be one of ${serverLogLevels.join(", ")}`),
  tagsOneOf: listOf(tag, tag.message)
})

/** Query of `GET /server/audit-logs`. */
export const auditLogsQuery = query({ startDate: time, endDate: time })

const { clientLog } = constraints
const bounded = (what: string, bounds: { readonly min: number; readonly max: number }) =>
  text({ ...bounds, message: `Must be ${what} of ${bounds.min} to ${bounds.max} characters` })

/** Body of `POST /server/logs/client` (contract: SendClientLog): an error that happened in a browser. */
export const ClientLog = Schema.Struct({
  message: field(bounded("a message", clientLog.message)),
  url: field(bounded("the address of a page", clientLog.url)),
  level: field(oneOf(clientLogLevels, `Must be one of ${clientLogLevels.join(", ")}`)),
  stackTrace: optional(nullable(bounded("a stack trace", clientLog.stackTrace))),
  userAgent: optional(nullable(bounded("the name of a browser", clientLog.userAgent))),
  meta: optional(nullable(bounded("a text", clientLog.meta)))
})
export type ClientLog = typeof ClientLog.Type
