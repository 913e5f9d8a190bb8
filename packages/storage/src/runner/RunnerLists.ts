import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../platform/database/Database.ts"
import type { KnownRunner } from "./RunnerRows.ts"

/** A runner as administrators see it. */
export interface RunnerRow extends KnownRunner {
  readonly description: string | null
  readonly ip: string
  readonly version: string | null
  readonly lastContact: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A page of a list in order of creation, and the total number. */
export interface RunnerPage<A> {
  readonly total: number
  readonly data: ReadonlyArray<A>
}

export interface PageByCreation {
  readonly start: number
  readonly count: number
  readonly descending: boolean
}

/** Lists of runners, for administrators. */
export class RunnerLists extends Context.Service<
  RunnerLists,
  {
    readonly list: (page: PageByCreation) => Effect.Effect<RunnerPage<RunnerRow>, DatabaseUnavailable>
  }
>()("@kinora/storage/runner/RunnerLists") {
  static readonly layer = Layer.effect(
    RunnerLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const list = Effect.fn("RunnerLists.list")(function* ({ count, descending, start }: PageByCreation) {
        const way = sql.literal(descending ? "desc" : "asc")
        const totals = yield* sql<{ total: number }>`select count(*) as total from runner`
        const data = yield* sql<RunnerRow>`
          select id, name, description, ip, version, last_contact as "lastContact", created_at as "createdAt",
            updated_at as "updatedAt"
          from runner order by created_at ${way}, id ${way} limit ${count} offset ${start}`
        return { total: totals[0]!.total, data }
      }, withDatabaseErrors)

      return RunnerLists.of({ list })
    })
  )
}
