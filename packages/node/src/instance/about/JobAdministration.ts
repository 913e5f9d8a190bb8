import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { isOperator } from "@kinora/domain/users/Operator"
import type { Job } from "@kinora/domain/wire/Job"
import { FederationBacklog } from "@kinora/storage/federation/outbox/FederationBacklog"
import { JobLists, type JobQuery } from "@kinora/storage/platform/jobs/JobLists"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { backlogQuery, backlogWire, jobWire } from "./JobWire.ts"

/** The job board, and beside its jobs what federation still has to send. */
export class JobAdministration extends Context.Service<
  JobAdministration,
  {
    /** One page of both, in the order of their creation. */
    readonly list: (
      query: JobQuery
    ) => Effect.Effect<{ readonly total: number; readonly data: ReadonlyArray<Job> }, DatabaseUnavailable>
    /** From here on no job begins on any node, until `resume`. The log names who did it. */
    readonly pause: (user: CurrentUserShape) => Effect.Effect<void, DatabaseUnavailable>
    readonly resume: (user: CurrentUserShape) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/instance/about/JobAdministration") {
  static readonly layer = Layer.effect(
    JobAdministration,
    Effect.gen(function* () {
      const backlog = yield* FederationBacklog
      const jobs = yield* JobLists
      const upkeep = yield* JobUpkeep
      const audit = yield* AuditTrail

      const list = Effect.fnUntraced(function* (query: JobQuery) {
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

      const values = Effect.map(upkeep.isPaused, (paused) => ({ paused }))

      const change = (user: CurrentUserShape, action: "pause" | "resume") =>
        audit.around(user, { domain: "jobs", action, values })(upkeep[action])

      const logged = (what: string, user: CurrentUserShape) =>
        Effect.logInfo(`Jobs were ${what} by ${isOperator(user) ? "the operator" : user.username}.`)

      return JobAdministration.of({
        list,
        pause: (user) => Effect.andThen(change(user, "pause"), logged("paused", user)),
        resume: (user) => Effect.andThen(change(user, "resume"), logged("resumed", user))
      })
    })
  )
}
