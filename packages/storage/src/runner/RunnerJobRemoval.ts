import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../platform/database/Database.ts"

/** Deletes runner jobs. */
export class RunnerJobRemoval extends Context.Service<
  RunnerJobRemoval,
  {
    /** Removes a job and those that depend on it. False if there is none. */
    readonly remove: (id: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/runner/RunnerJobRemoval") {
  static readonly layer = Layer.effect(
    RunnerJobRemoval,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return RunnerJobRemoval.of({
        remove: Effect.fn("RunnerJobRemoval.remove")(function* (id) {
          const rows = yield* sql`delete from runner_job where id = ${id} returning id`
          return rows.length > 0
        }, withDatabaseErrors)
      })
    })
  )
}
