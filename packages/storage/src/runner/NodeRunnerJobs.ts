import type { MadeRunnerJobType } from "@kinora/domain/enums/RunnerJobType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../platform/database/Database.ts"
import { jobEnds } from "./JobEnds.ts"
import { maxFailures } from "./RunnerJobBoard.ts"

/** A runner job that a node has claimed. */
export interface NodeRunnerJob {
  readonly id: number
  readonly uuid: string
  readonly type: MadeRunnerJobType
  readonly videoId: number | null
  readonly payload: unknown
  readonly privatePayload: unknown
  /** How often it was given out, including this time. */
  readonly accepted: number
}

export interface NodeClaim {
  /** Types this node can do. */
  readonly types: ReadonlyArray<MadeRunnerJobType>
  /** Name of the node, for operators and for `endFormer`. */
  readonly node: string
  /** SHA-256 of a token of this claim, which every later report names. */
  readonly tokenHash: Uint8Array
  readonly lease: Duration.Input
  /** How long a job must have waited for a runner. */
  readonly pendingFor: Duration.Input
  /** Jobs that are left to others, by UUID. */
  readonly except?: ReadonlyArray<string>
}

/** How often a runner may give a job back without a failure before its waiting time counts from its creation. */
const maxReturns = 3

/**
 * Runner jobs that nodes do themselves. Once claimed, they are held like by a runner: by the token of the claim and a
 * lease, through `RunnerJobBoard`.
 */
export class NodeRunnerJobs extends Context.Service<
  NodeRunnerJobs,
  {
    /**
     * Claims the most urgent job that has waited long enough. Runners cannot keep a job from it by giving it back again
     * and again.
     */
    readonly claim: (claim: NodeClaim) => Effect.Effect<Option.Option<NodeRunnerJob>, DatabaseUnavailable>
    /** Releases what was claimed with this token, if anything: for a caller whose claim got no answer. */
    readonly unclaim: (node: string, tokenHash: Uint8Array) => Effect.Effect<void, DatabaseUnavailable>
    /**
     * Takes back the jobs this node held when it died, each counted as a failure, so that a job that kills its node
     * ends. Returns their UUIDs.
     */
    readonly endFormer: (node: string) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
  }
>()("@kinora/storage/runners/NodeRunnerJobs") {
  static readonly layer = Layer.effect(
    NodeRunnerJobs,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { handBack } = jobEnds(sql)

      const claim = Effect.fn("NodeRunnerJobs.claim")(function* (wanted: NodeClaim) {
        // `updated_at` of a pending job is the time when it became pending.
        const rows = yield* sql<NodeRunnerJob>`
          update runner_job set state = 2, runner_id = null, node = ${wanted.node}, token_hash = ${wanted.tokenHash},
            accepted = accepted + 1, lease_until = now() + ${seconds(wanted.lease)} * interval '1 second',
            progress = null, started_at = now(), updated_at = now()
          where id = (
            select id from runner_job
            where state = 1 and type = any(${wanted.types}::text[]) and uuid <> all(${wanted.except ?? []}::uuid[])
              and case when accepted - failures >= ${maxReturns}::integer then created_at else updated_at end
                <= now() - ${seconds(wanted.pendingFor)} * interval '1 second'
              and not exists (select 1 from job_pause)
            order by priority, id for update skip locked limit 1
          )
          returning id, uuid, type, video_id as "videoId", payload, private_payload as "privatePayload", accepted`
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const unclaim = Effect.fn("NodeRunnerJobs.unclaim")(function* (node: string, tokenHash: Uint8Array) {
        const claimed = yield* sql<{ id: number }>`
          select id from runner_job where state = 2 and node = ${node} and token_hash = ${tokenHash}`
        for (const { id } of claimed) {
          yield* sql.withTransaction(handBack({ id, tokenHash, failed: false, words: null, maxFailures }))
        }
      }, withDatabaseErrors)

      const words = "The node ended while it worked on the job"

      const endFormer = Effect.fn("NodeRunnerJobs.endFormer")(function* (node: string) {
        const held = yield* sql<{ id: number; uuid: string; tokenHash: Uint8Array }>`
          select id, uuid, token_hash as "tokenHash" from runner_job where state = 2 and node = ${node} order by id`
        for (const { id, tokenHash } of held) {
          yield* sql.withTransaction(handBack({ id, tokenHash, failed: true, words, maxFailures }))
        }
        return held.map(({ uuid }) => uuid)
      }, withDatabaseErrors)

      return NodeRunnerJobs.of({ claim, unclaim, endFormer })
    })
  )
}

const seconds = (duration: Duration.Input): number => Duration.toMillis(Duration.fromInputUnsafe(duration)) / 1000
