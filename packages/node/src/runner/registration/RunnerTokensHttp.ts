import { Effect } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { RunnerRegistration } from "./RunnerRegistration.ts"
import { runnerPage } from "./RunnersHttp.ts"

/** The endpoints of runner registration tokens. */
export const layer = apiGroup(
  "runnerTokens",
  Effect.fnUntraced(function* (handlers) {
    const registration = yield* RunnerRegistration
    return handlers.handleAll({
      postRunnersRegistrationTokensGenerate: () => answer(registration.generate),
      getRunnersRegistrationTokens: ({ query }) => answer(registration.tokens(runnerPage(query))),
      deleteRunnersRegistrationTokensByRegistrationTokenId: ({ params }) =>
        answer(registration.revoke(params.registrationTokenId))
    } satisfies Answers<"runnerTokens">)
  })
)
