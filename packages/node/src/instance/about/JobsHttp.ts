import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { FederationBacklog } from "@kinora/storage/federation/outbox/FederationBacklog"
import { type JobQuery, JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { Effect } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { backlogQuery, backlogWire, jobQuery, jobWire } from "./JobWire.ts"

/** The job board, and beside its jobs what federation still has to send. */
export const layer = apiGroup(
  "jobs",
  Effect.fnUntraced(function* (handlers) {
    const jobs = yield* JobUpkeep
    const backlog = yield* FederationBacklog
    /** Logs who paused or resumed the board. */
    const noted = (what: string) =>
      Effect.flatMap(CurrentUser, ({ username }) => Effect.logInfo(`Jobs were ${what} by ${username}.`))

    /** One page of both, in the order of their creation. */
    const page = Effect.fnUntraced(function* (query: JobQuery) {
      const end = query.start + query.count
      const ofFederation = yield* backlog.list(backlogQuery(query, end))
      if (ofFederation.total === 0) {
        const { data, total } = yield* jobs.list(query)
        return { total, data: data.map(jobWire) }
      }
      const ofBoard = yield* jobs.list({ ...query, start: 0, count: end })
      const ascending = query.oldestFirst === true ? 1 : -1
      const data = [...ofBoard.data.map(jobWire), ...ofFederation.data.map(backlogWire)].toSorted(
        (a, b) => ascending * (Date.parse(a.createdAt) - Date.parse(b.createdAt))
      )
      return { total: ofBoard.total + ofFederation.total, data: data.slice(query.start, end) }
    })

    return handlers.handleAll({
      getJobs: ({ params, query }) => answer(page(jobQuery(params.state, query))),
      postJobsPause: () => answer(Effect.andThen(jobs.pause, noted("paused"))),
      postJobsResume: () => answer(Effect.andThen(jobs.resume, noted("resumed")))
    } satisfies Answers<"jobs">)
  })
)
