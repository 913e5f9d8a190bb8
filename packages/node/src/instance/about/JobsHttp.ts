import { Api } from "@kinora/domain/api/Api"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../platform/http/Answer.ts"
import { jobQuery, jobWire } from "./JobWire.ts"

/** The job board. */
export const layer = HttpApiBuilder.group(
  Api,
  "jobs",
  Effect.fnUntraced(function* (handlers) {
    const jobs = yield* JobUpkeep
    /** The board never stands still without a word about who made it so. */
    const noted = (what: string) =>
      Effect.flatMap(CurrentUser, ({ username }) => Effect.logInfo(`Jobs were ${what} by ${username}.`))
    return handlers.handleAll({
      getJobs: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const page = yield* jobs.list(jobQuery(params.state, query))
            return { total: page.total, data: page.data.map(jobWire) }
          })
        ),
      postJobsPause: () => answer(Effect.andThen(jobs.pause, noted("paused"))),
      postJobsResume: () => answer(Effect.andThen(jobs.resume, noted("resumed")))
    })
  })
)
