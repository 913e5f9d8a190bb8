import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { jsonOrForm } from "../requests/Payload.ts"
import { OfRunner, RegisterRunner, runnerListQuery, runnerParams } from "../requests/RunnerRequests.ts"
import { RegisteredRunner, RunnerList } from "../wire/Runner.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const right = "MANAGE_RUNNERS"
const runners = "/api/v1/runners"

/** Programs elsewhere that work for the instance. */
export class RunnersApi extends HttpApiGroup.make("runners", { topLevel: true })
  .add(
    HttpApiEndpoint.post("postRunnersRegister", `${runners}/register`, {
      payload: jsonOrForm(RegisterRunner),
      success: RegisteredRunner
    }).annotate(Docs, {
      summary: "Register a runner; the answer alone contains its token",
      problems: problems(400, 404)
    }),
    HttpApiEndpoint.post("postRunnersUnregister", `${runners}/unregister`, {
      payload: jsonOrForm(OfRunner),
      success: HttpApiSchema.NoContent
    }).annotate(Docs, {
      summary: "Unregister a runner, with its own token",
      problems: problems(400, [404, "unknown_runner_token"])
    }),
    HttpApiEndpoint.get("getRunners", runners, { query: runnerListQuery, success: RunnerList })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List runners", right, problems: problems(400, 403) }),
    HttpApiEndpoint.delete("deleteRunnersByRunnerId", `${runners}/:runnerId`, {
      params: runnerParams,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Delete a runner",
        right,
        body: {
          "application/json": {
            type: "object",
            properties: { runnerToken: { type: "string", description: "Not looked at: the path names the runner" } }
          }
        },
        problems: problems(400, 403, 404)
      })
  )
  .annotate(OpenApi.Title, "Runners") {}
