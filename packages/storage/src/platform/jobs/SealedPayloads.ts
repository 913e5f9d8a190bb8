import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../database/DatabaseErrors.ts"

/**
 * Secrets in job payloads: the key `sealed` of a payload is removed as soon as it is no longer needed, while the job
 * itself stays visible. Takes part in the caller's transaction.
 */
export class SealedPayloads extends Context.Service<
  SealedPayloads,
  {
    /** Removes `sealed` from a job that has ended. A job that will be retried keeps it. */
    readonly forget: (jobId: number) => Effect.Effect<void, DatabaseUnavailable>
    /** The same for every ended job of the type, as after a worker died. Returns how many. */
    readonly forgetEnded: (type: string) => Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/jobs/SealedPayloads") {
  static readonly layer = Layer.effect(
    SealedPayloads,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const ended = sql`state in ('completed', 'failed', 'cancelled') and jsonb_typeof(payload) = 'object'`
      return SealedPayloads.of({
        forget: Effect.fnUntraced(function* (jobId: number) {
          yield* sql`update job set payload = payload - 'sealed' where id = ${jobId} and ${ended}`
        }, withDatabaseErrors),
        forgetEnded: Effect.fn("SealedPayloads.forgetEnded")(function* (type: string) {
          const rows = yield* sql`
            update job set payload = payload - 'sealed' where type = ${type} and ${ended} and payload ? 'sealed'
            returning id`
          return rows.length
        }, withDatabaseErrors)
      })
    })
  )
}
