import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../database/DatabaseErrors.ts"

/**
 * Secrets in payloads of jobs: the key `sealed` of a payload is taken away as soon as nobody needs it any more, while the
 * job itself stays to be seen. Takes part in the caller's transaction.
 */
export class SealedPayloads extends Context.Service<
  SealedPayloads,
  {
    /** Takes `sealed` from the job when it has ended; one that is tried again keeps it. */
    readonly forget: (jobId: number) => Effect.Effect<void, DatabaseUnavailable>
    /** The same for every ended job of the type, as after a worker died with it; answers how many. */
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
