import type { ClusterNodeReads } from "@kinora/storage/platform/cluster/ClusterNodeReads"
import { Effect, Metric } from "effect"
import { ClusterMetrics, type Sharding } from "effect/cluster"
import { aliveSeconds } from "../../platform/cluster/ClusterTimes.ts"
import type { ClusterNode } from "../../platform/cluster/ClusterNode.ts"
import { type NodeRole, nodeRoles } from "../../platform/config/keys/Server.ts"
import type { MetricFamily } from "../../platform/http/MetricsText.ts"

const gauge = (name: string, help: string, samples: MetricFamily["samples"]): MetricFamily => ({
  name,
  help,
  type: "gauge",
  samples
})

/**
 * The nodes that this one knows of, and what runs here; a node that is the only one knows of itself. While the database is away,
 * nothing is said of others.
 */
export const clusterMetrics = ({
  own,
  reads,
  roles,
  sharding
}: {
  /** Undefined: it is the only one. */
  readonly own: ClusterNode | undefined
  readonly roles: ReadonlySet<NodeRole>
  readonly reads: ClusterNodeReads["Service"]
  readonly sharding: Sharding.Sharding["Service"]
}) => {
  const known = Effect.orElseSucceed(reads.all(aliveSeconds), () => undefined)

  const ofNodes = (alive: number, lost: number, shards: number): ReadonlyArray<MetricFamily> => [
    gauge("kinora_cluster_nodes", "Nodes of the instance; lost: they did not leave in order, during the last day", [
      { labels: { state: "alive" }, value: alive },
      { labels: { state: "lost" }, value: lost }
    ]),
    gauge("kinora_cluster_shards", "Shards of the cluster that are this node's", [{ value: shards }])
  ]

  return Effect.gen(function* () {
    const nodes = own === undefined ? undefined : yield* known
    const alive = nodes?.filter((node) => node.alive).length ?? 0
    const { value: singletons } = yield* Metric.value(ClusterMetrics.singletons)
    return [
      ...(own === undefined
        ? ofNodes(1, 0, 0)
        : nodes === undefined
          ? []
          : ofNodes(alive, nodes.length - alive, nodes.find(({ address }) => address === own.address)?.shards ?? 0)),
      gauge("kinora_cluster_entities", "Actors and other entities in the memory of this node", [
        { value: yield* sharding.activeEntityCount }
      ]),
      gauge("kinora_cluster_singletons", "Tasks of which the cluster has one, and this node runs it", [
        { value: Number(singletons) }
      ]),
      gauge(
        "kinora_cluster_role",
        "Whether this node has the role",
        nodeRoles.map((role) => ({ labels: { role }, value: roles.has(role) ? 1 : 0 }))
      )
    ] satisfies ReadonlyArray<MetricFamily>
  })
}
