import { RunnerJobState } from "@kinora/domain/enums/RunnerJobState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../platform/database/Database.ts"
import { jobEnds } from "./JobEnds.ts"
import { maxFailures } from "./RunnerJobBoard.ts"

/** How far a job has come. */
export interface LiveJobState {
  readonly state: RunnerJobState
  /** Whether its holder has been silent for too long. */
  readonly isLate: boolean
  readonly error: string | null
}

/** Jobs that transcode lives, as the node that publishes the live sees them. */
export class LiveRunnerJobs extends Context.Service<
  LiveRunnerJobs,
  {
    /** None: it was deleted. */
    readonly look: (id: number) => Effect.Effect<Option.Option<LiveJobState>, DatabaseUnavailable>
    /** Ends a job that is held as failed, whoever holds it. */
    readonly lose: (id: number, words: string) => Effect.Effect<void, DatabaseUnavailable>
    /** Cancels jobs of the last process of this node: nobody takes their segments. Returns how many. */
    readonly endFormer: (node: string, except: ReadonlyArray<string>) => Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/runners/LiveRunnerJobs") {
  static readonly layer = Layer.effect(
    LiveRunnerJobs,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { cancel, handBack } = jobEnds(sql)

      return LiveRunnerJobs.of({
        look: Effect.fn("LiveRunnerJobs.look")(function* (id) {
          const rows = yield* sql<LiveJobState>`
            select state::integer as state, coalesce(lease_until < now(), false) as "isLate", error
            from runner_job where id = ${id}`
          return Option.fromUndefinedOr(rows[0])
        }, withDatabaseErrors),
        lose: Effect.fn("LiveRunnerJobs.lose")(function* (id, words) {
          yield* sql.withTransaction(handBack({ id, tokenHash: null, failed: true, words, maxFailures }))
        }, withDatabaseErrors),
        endFormer: Effect.fn("LiveRunnerJobs.endFormer")(function* (node, except) {
          const left = yield* sql<{ id: number }>`
            select id from runner_job
            where type = 'live-rtmp-hls-transcoding' and uuid <> all(${except}::uuid[])
              and state in (${RunnerJobState.pending}, ${RunnerJobState.processing})
              and private_payload ->> 'node' = ${node}
            order by id`
          for (const { id } of left) yield* sql.withTransaction(cancel(id))
          return left.length
        }, withDatabaseErrors)
      })
    })
  )
}
