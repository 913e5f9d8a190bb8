import type { MadeRunnerJobType } from "@kinora/domain/enums/RunnerJobType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../platform/database/Database.ts"
import { mostFailures } from "./RunnerJobBoard.ts"

/** A job of runners that a node has taken. */
export interface NodeRunnerJob {
  readonly id: number
  readonly uuid: string
  readonly type: MadeRunnerJobType
  readonly videoId: number | null
  readonly payload: unknown
  readonly privatePayload: unknown
  /** How often it was given to anybody, this time included. */
  readonly accepted: number
}

export interface NodeClaim {
  /** Types this node can do. */
  readonly types: ReadonlyArray<MadeRunnerJobType>
  /** Names the node, for operators and for `endFormer`. */
  readonly node: string
  /** SHA-256 of a token of this claim, which names it in every later report. */
  readonly tokenHash: Uint8Array
  readonly lease: Duration.Input
  /** How long a job must have waited for a runner. */
  readonly pendingFor: Duration.Input
  /** Jobs that are left to others, by their uuid. */
  readonly except?: ReadonlyArray<string>
}

/** Times a job may be given back without a failure until its waiting is counted from its beginning. */
const patience = 3

/**
 * Jobs of runners that nodes do themselves. Between claim and end they are held as by runners: by the token of the claim and
 * a lease, through `RunnerJobBoard`.
 */
export class NodeRunnerJobs extends Context.Service<
  NodeRunnerJobs,
  {
    /** Takes the most urgent job that has waited long enough. Runners that give a job back again and again do not keep it. */
    readonly claim: (claim: NodeClaim) => Effect.Effect<Option.Option<NodeRunnerJob>, DatabaseUnavailable>
    /** Gives back what was claimed under this token, if it was: for who got no answer. */
    readonly unclaim: (node: string, tokenHash: Uint8Array) => Effect.Effect<void, DatabaseUnavailable>
    /** Takes back what this node held when it died, each a failure: a job that kills its node must end. Gives their uuids. */
    readonly endFormer: (node: string) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
  }
>()("@kinora/storage/runners/NodeRunnerJobs") {
  static readonly layer = Layer.effect(
    NodeRunnerJobs,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const claim = Effect.fn("NodeRunnerJobs.claim")(function* (wanted: NodeClaim) {
        // `updated_at` of a pending job is when it became pending.
        const rows = yield* sql<NodeRunnerJob>`
          update runner_job set state = 2, runner_id = null, node = ${wanted.node}, token_hash = ${wanted.tokenHash},
            accepted = accepted + 1, lease_until = now() + ${seconds(wanted.lease)} * interval '1 second',
            progress = null, started_at = now(), updated_at = now()
          where id = (
            select id from runner_job
            where state = 1 and type = any(${wanted.types}::text[]) and uuid <> all(${wanted.except ?? []}::uuid[])
              and case when accepted - failures >= ${patience}::integer then created_at else updated_at end
                <= now() - ${seconds(wanted.pendingFor)} * interval '1 second'
              and not exists (select 1 from job_pause)
            order by priority, id for update skip locked limit 1
          )
          returning id, uuid, type, video_id as "videoId", payload, private_payload as "privatePayload", accepted`
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const unclaim = Effect.fn("NodeRunnerJobs.unclaim")(function* (node: string, tokenHash: Uint8Array) {
        yield* sql`
          select runner_job_back(id, token_hash, false, null, ${mostFailures}::integer)
          from runner_job where state = 2 and node = ${node} and token_hash = ${tokenHash}`
      }, withDatabaseErrors)

      const endOne = (id: number, node: string) => sql<{ state: number | null }>`
        select runner_job_back(id, token_hash, true, 'The node ended while it worked on the job',
          ${mostFailures}::integer)::integer as state
        from runner_job where id = ${id} and state = 2 and node = ${node}`

      const endFormer = Effect.fn("NodeRunnerJobs.endFormer")(function* (node: string) {
        const held = yield* sql<{ id: number; uuid: string }>`
          select id, uuid from runner_job where state = 2 and node = ${node} order by id`
        yield* Effect.forEach(held, ({ id }) => endOne(id, node), { discard: true })
        return held.map(({ uuid }) => uuid)
      }, withDatabaseErrors)

      return NodeRunnerJobs.of({ claim, unclaim, endFormer })
    })
  )
}

const seconds = (duration: Duration.Input): number => Duration.toMillis(Duration.fromInputUnsafe(duration)) / 1000
