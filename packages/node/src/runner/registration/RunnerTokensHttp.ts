import { Api } from "@kinora/domain/api/Api"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../platform/http/Answer.ts"
import { RunnerRegistration } from "./RunnerRegistration.ts"
import { runnerPage } from "./RunnersHttp.ts"

/** What runners register with, as administrators hand it out. */
export const layer = HttpApiBuilder.group(
  Api,
  "runnerTokens",
  Effect.fnUntraced(function* (handlers) {
    const registration = yield* RunnerRegistration
    return handlers.handleAll({
      postRunnersRegistrationTokensGenerate: () => answer(registration.generate),
      getRunnersRegistrationTokens: ({ query }) => answer(registration.tokens(runnerPage(query))),
      deleteRunnersRegistrationTokensByRegistrationTokenId: ({ params }) =>
        answer(registration.revoke(params.registrationTokenId))
    })
  })
)
