import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { JobAdministration } from "./JobAdministration.ts"
import { jobQuery } from "./JobWire.ts"

/** The job board. */
export const layer = apiGroup(
  "jobs",
  Effect.fnUntraced(function* (handlers) {
    const jobs = yield* JobAdministration
    return handlers.handleAll({
      getJobs: ({ params, query }) => answer(jobs.list(jobQuery(params.state, query))),
      postJobsPause: () => answer(Effect.flatMap(CurrentUser, jobs.pause)),
      postJobsResume: () => answer(Effect.flatMap(CurrentUser, jobs.resume))
    } satisfies Answers<"jobs">)
  })
)
