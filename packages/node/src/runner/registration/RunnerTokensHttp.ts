import { CurrentUser } from "@kinora/domain/users/CurrentUser"
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
      postRunnersRegistrationTokensGenerate: () => answer(Effect.flatMap(CurrentUser, registration.generate)),
      getRunnersRegistrationTokens: ({ query }) => answer(registration.tokens(runnerPage(query))),
      deleteRunnersRegistrationTokensByRegistrationTokenId: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => registration.revoke(user, params.registrationTokenId)))
    } satisfies Answers<"runnerTokens">)
  })
)
