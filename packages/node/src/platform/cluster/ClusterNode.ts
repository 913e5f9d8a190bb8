import { Context } from "effect"

/** How this node takes part in a cluster. */
export interface ClusterNode {
  readonly name: string
  /** Host and port that other nodes connect to. */
  readonly address: string
}

/** Undefined: this node is the only one. */
export const ClusterNode = Context.Reference<ClusterNode | undefined>("@kinora/node/cluster/ClusterNode", {
  defaultValue: () => undefined
})
