import type { RunnerJobState } from "@kinora/domain/enums/RunnerJobState"
import type { RunnerJobType } from "@kinora/domain/enums/RunnerJobType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Sort } from "@kinora/domain/requests/Pagination"
import type { RunnerJobSort } from "@kinora/domain/requests/RunnerRequests"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../platform/database/Database.ts"
import { safeText } from "../platform/database/LikeText.ts"
import { type RunnerJobRow, runnerJobColumns } from "./RunnerJobRow.ts"
import type { RunnerPage } from "./RunnerLists.ts"

/** Filters of the administrators' list. */
export interface RunnerJobQuery {
  readonly start: number
  readonly count: number
  readonly sort: Sort<RunnerJobSort>
  /** Part of the UUID, the type, the runner's name or the payload, compared without case and accents. */
  readonly search?: string | undefined
  readonly states?: ReadonlyArray<RunnerJobState> | undefined
  readonly types?: ReadonlyArray<RunnerJobType> | undefined
}

const columns: Readonly<Record<RunnerJobSort, string>> = {
  updatedAt: "j.updated_at",
  createdAt: "j.created_at",
  priority: "j.priority",
  state: "j.state",
  progress: "coalesce(j.progress, -1)"
}

/** Queries on runner jobs. */
export class RunnerJobReads extends Context.Service<
  RunnerJobReads,
  {
    /** The id of a job. */
    readonly idOf: (uuid: string) => Effect.Effect<Option.Option<number>, DatabaseUnavailable>
    /** State, type and runner of a job. Undefined: there is none. */
    readonly values: (
      uuid: string
    ) => Effect.Effect<Readonly<Record<string, number | string | null>> | undefined, DatabaseUnavailable>
    /** Whether a runner is working on the job. */
    readonly isBusy: (uuid: string) => Effect.Effect<boolean, DatabaseUnavailable>
    readonly list: (query: RunnerJobQuery) => Effect.Effect<RunnerPage<RunnerJobRow>, DatabaseUnavailable>
  }
>()("@kinora/storage/runners/RunnerJobReads") {
  static readonly layer = Layer.effect(
    RunnerJobReads,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const matching = ({ search, states, types }: RunnerJobQuery) =>
        sql.and([
          states === undefined ? sql`true` : sql`j.state = any(${states}::smallint[])`,
          types === undefined ? sql`true` : sql`j.type = any(${types}::text[])`,
          search === undefined || search === ""
            ? sql`true`
            : sql`search_text(concat_ws(' ', j.uuid, j.type, r.name, j.node, j.payload, j.private_payload))
                like search_pattern(${safeText(search)}::text)`
        ])

      const list = Effect.fn("RunnerJobReads.list")(function* (query: RunnerJobQuery) {
        const where = matching(query)
        const way = sql.literal(query.sort.descending ? "desc" : "asc")
        const totals = yield* sql<{ total: number }>`
          select count(*) as total from runner_job j left join runner r on r.id = j.runner_id where ${where}`
        const data =
          query.count === 0
            ? []
            : yield* sql<RunnerJobRow>`
                select ${runnerJobColumns(sql)} from runner_job j
                left join runner_job p on p.id = j.parent_id left join runner r on r.id = j.runner_id
                where ${where} order by ${sql.literal(columns[query.sort.by])} ${way}, j.id ${way}
                limit ${query.count} offset ${query.start}`
        return { total: totals[0]!.total, data }
      }, withDatabaseErrors)

      return RunnerJobReads.of({
        idOf: Effect.fn("RunnerJobReads.idOf")(function* (uuid) {
          const rows = yield* sql<{ id: number }>`select id from runner_job where uuid = ${uuid}::uuid`
          return Option.map(Option.fromUndefinedOr(rows[0]), ({ id }) => id)
        }, withDatabaseErrors),
        values: Effect.fn("RunnerJobReads.values")(function* (uuid) {
          const [row] = yield* sql<Readonly<Record<string, number | string | null>>>`
            select j.state, j.type, r.name as runner, j.failures from runner_job j left join runner r on r.id = j.runner_id
            where j.uuid = ${uuid}::uuid`
          return row
        }, withDatabaseErrors),
        isBusy: Effect.fn("RunnerJobReads.isBusy")(function* (uuid) {
          const rows = yield* sql`select 1 from runner_job where uuid = ${uuid}::uuid and state in (2, 9)`
          return rows.length > 0
        }, withDatabaseErrors),
        list
      })
    })
  )
}
