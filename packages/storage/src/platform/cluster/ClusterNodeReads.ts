import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../database/DatabaseErrors.ts"

/** A node of the cluster, as the database knows it. */
export interface ClusterNodeState {
  readonly name: string
  readonly address: string
  readonly roles: ReadonlyArray<string>
  readonly version: string
  readonly startedAt: Date
  readonly seenAt: Date
  /** False: it is lost, and what it ran runs elsewhere. */
  readonly alive: boolean
  /** Shards whose entities and singletons it runs. */
  readonly shards: number
  /** What it reported last, as it was written. */
  readonly report: unknown
}

/** The nodes of a cluster. */
export class ClusterNodeReads extends Context.Service<
  ClusterNodeReads,
  {
    /** Those that are alive. */
    readonly alive: (
      aliveSeconds: number
    ) => Effect.Effect<ReadonlyArray<Pick<ClusterNodeState, "name" | "address" | "roles">>, DatabaseUnavailable>
    /** All nodes of the last day, the oldest first; `aliveSeconds`: how long after its last heartbeat a node is alive. */
    readonly all: (aliveSeconds: number) => Effect.Effect<ReadonlyArray<ClusterNodeState>, DatabaseUnavailable>
  }
>()("@kinora/storage/cluster/ClusterNodeReads") {
  static readonly layer = Layer.effect(
    ClusterNodeReads,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return ClusterNodeReads.of({
        alive: Effect.fnUntraced(function* (aliveSeconds: number) {
          return yield* sql<Pick<ClusterNodeState, "name" | "address" | "roles">>`
            select name, address, roles from cluster_node
            where seen_at > now() - ${aliveSeconds} * interval '1 second' order by id`
        }, withDatabaseErrors),
        all: Effect.fn("ClusterNodeReads.all")(function* (aliveSeconds: number) {
          return yield* sql<ClusterNodeState>`
            select n.name, n.address, n.roles, n.version, n.started_at as "startedAt", n.seen_at as "seenAt",
              n.seen_at > now() - ${aliveSeconds} * interval '1 second' as alive, n.report,
              (select count(*)::int from cluster_shard s where s.address = n.address) as shards
            from cluster_node n where n.seen_at > now() - interval '1 day' order by n.started_at, n.address`
        }, withDatabaseErrors)
      })
    })
  )
}
