import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { auditLogsQuery, ClientLog, logsQuery } from "../requests/LogRequests.ts"
import { jsonOrForm } from "../requests/Payload.ts"
import { AuditLogRows, LogRows } from "../wire/Log.ts"
import { Authenticated, MaybeAuthenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const right = "MANAGE_LOGS"

/** The log of the node that answers, what was administered, and what browsers report. */
export class LogsApi extends HttpApiGroup.make("logs", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getInstanceLogs", "/api/v1/server/logs", { query: logsQuery, success: LogRows })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "List the newest lines of the node's log, the oldest of them first",
        right,
        problems: problems(400, 403)
      }),
    HttpApiEndpoint.get("getInstanceAuditLogs", "/api/v1/server/audit-logs", {
      query: auditLogsQuery,
      success: AuditLogRows
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "List what administrators and moderators did, with the values before and after",
        right,
        problems: problems(400, 403)
      }),
    HttpApiEndpoint.post("sendClientLog", "/api/v1/server/logs/client", {
      payload: jsonOrForm(ClientLog),
      success: HttpApiSchema.NoContent
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, { summary: "Report an error that happened in a browser", problems: problems(400, 403, 429) })
  )
  .annotate(OpenApi.Title, "Logs") {}
