import { Api } from "@kinora/domain/api/Api"
import { defaultPage } from "@kinora/domain/requests/Pagination"
import type { RunnerListQuery } from "@kinora/domain/requests/RunnerRequests"
import { type PageByCreation, RunnerRows } from "@kinora/storage/runner/RunnerRows"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../platform/http/Answer.ts"
import { RunnerAccess } from "./RunnerAccess.ts"
import { RunnerRegistration } from "./RunnerRegistration.ts"
import { runnerWire } from "./RunnerWire.ts"

/** Newest first unless it says otherwise. */
export const runnerPage = (query: RunnerListQuery): PageByCreation => ({
  start: query.start ?? defaultPage.start,
  count: query.count ?? defaultPage.count,
  descending: query.sort?.descending ?? true
})

/** Programs elsewhere that work for the instance. */
export const layer = HttpApiBuilder.group(
  Api,
  "runners",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* RunnerAccess
    const registration = yield* RunnerRegistration
    const rows = yield* RunnerRows
    return handlers.handleAll({
      postRunnersRegister: ({ payload, request }) =>
        answer(
          registration.register(
            payload,
            Option.getOrElse(request.remoteAddress, () => "")
          )
        ),
      postRunnersUnregister: ({ payload, request }) =>
        answer(
          Effect.gen(function* () {
            const runner = yield* access.runner(payload.runnerToken, request)
            yield* rows.remove(runner.id)
          })
        ),
      getRunners: ({ query }) =>
        answer(Effect.map(rows.list(runnerPage(query)), ({ data, total }) => ({ total, data: data.map(runnerWire) }))),
      deleteRunnersByRunnerId: ({ params }) => answer(registration.remove(params.runnerId))
    })
  })
)
