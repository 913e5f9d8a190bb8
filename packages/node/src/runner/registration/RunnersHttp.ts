import { defaultPage } from "@kinora/domain/requests/Pagination"
import type { RunnerListQuery } from "@kinora/domain/requests/RunnerRequests"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { type PageByCreation, RunnerLists } from "@kinora/storage/runner/RunnerLists"
import { Effect, Option } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { RunnerRegistration } from "./RunnerRegistration.ts"
import { runnerWire } from "./RunnerWire.ts"

/** Newest first by default. */
export const runnerPage = (query: RunnerListQuery): PageByCreation => ({
  start: query.start ?? defaultPage.start,
  count: query.count ?? defaultPage.count,
  descending: query.sort?.descending ?? true
})

/** The endpoints of runners. */
export const layer = apiGroup(
  "runners",
  Effect.fnUntraced(function* (handlers) {
    const registration = yield* RunnerRegistration
    const lists = yield* RunnerLists
    return handlers.handleAll({
      postRunnersRegister: ({ payload, request }) =>
        answer(
          registration.register(
            payload,
            Option.getOrElse(request.remoteAddress, () => "")
          )
        ),
      postRunnersUnregister: ({ payload, request }) => answer(registration.unregister(payload.runnerToken, request)),
      getRunners: ({ query }) =>
        answer(Effect.map(lists.list(runnerPage(query)), ({ data, total }) => ({ total, data: data.map(runnerWire) }))),
      deleteRunnersByRunnerId: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => registration.remove(user, params.runnerId)))
    } satisfies Answers<"runners">)
  })
)
