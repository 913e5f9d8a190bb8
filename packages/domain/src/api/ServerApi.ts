import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { DebugOrder } from "../requests/DebugRequests.ts"
import { jsonOrForm } from "../requests/Payload.ts"
import { Debug } from "../wire/Debug.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const Pong = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html" }))

/** The running node: is it there, and how is it. */
export class ServerApi extends HttpApiGroup.make("server", { topLevel: true })
  .add(
    HttpApiEndpoint.get("ping", "/api/v1/ping", { success: Pong }).annotate(Docs, {
      tag: "Misc",
      summary: "Answer `pong`"
    }),
    HttpApiEndpoint.get("getDebug", "/api/v1/server/debug", { success: Debug })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag: "Debug",
        summary: "Get the state of the running node",
        right: "MANAGE_DEBUG",
        problems: problems(403)
      }),
    HttpApiEndpoint.post("runDebugCommand", "/api/v1/server/debug/run-command", {
      payload: jsonOrForm(DebugOrder),
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag: "Debug",
        summary: "Have regular work done at once, or send a test mail",
        right: "MANAGE_DEBUG",
        problems: problems(400, 403)
      })
  )
  .annotate(OpenApi.Title, "Misc") {}
