import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../platform/database/DatabaseErrors.ts"
import { retryJob } from "./JobRetries.ts"

/** Ladders that runners encode, begun again. */
export class LadderRetries extends Context.Service<
  LadderRetries,
  {
    /**
     * Begins the jobs of a ladder again that ended without a result, in the caller's transaction. False where nothing is left
     * of what runners had done.
     */
    readonly retry: (jobId: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/runner/LadderRetries") {
  static readonly layer = Layer.effect(
    LadderRetries,
    Effect.map(SqlClient, (sql) => {
      const again = retryJob(sql)
      return LadderRetries.of({
        retry: Effect.fn("LadderRetries.retry")(function* (jobId: number) {
          const [ended] = yield* sql<{ id: number }>`
            select id from runner_job where job_id = ${jobId} and state in (4, 6, 7, 8) order by id limit 1`
          return ended !== undefined && (yield* again(ended.id)) === "retried"
        }, withDatabaseErrors)
      })
    })
  )
}
