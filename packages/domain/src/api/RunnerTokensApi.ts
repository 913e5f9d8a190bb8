import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { registrationTokenParams, runnerListQuery } from "../requests/RunnerRequests.ts"
import { RunnerRegistrationTokenList } from "../wire/Runner.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const right = "MANAGE_RUNNERS"
const tokens = "/api/v1/runners/registration-tokens"

/** What runners register with. */
export class RunnerTokensApi extends HttpApiGroup.make("runnerTokens", { topLevel: true })
  .add(
    HttpApiEndpoint.post("postRunnersRegistrationTokensGenerate", `${tokens}/generate`, {
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Make a registration token", right, problems: problems(403) }),
    HttpApiEndpoint.get("getRunnersRegistrationTokens", tokens, {
      query: runnerListQuery,
      success: RunnerRegistrationTokenList
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List registration tokens", right, problems: problems(400, 403) }),
    HttpApiEndpoint.delete("deleteRunnersRegistrationTokensByRegistrationTokenId", `${tokens}/:registrationTokenId`, {
      params: registrationTokenParams,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Delete a registration token, and every runner that registered with it",
        right,
        problems: problems(400, 403, 404)
      })
  )
  .annotate(OpenApi.Title, "Runner Registration Token") {}
