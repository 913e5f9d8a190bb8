import { Context } from "effect"
import type { TLSSocket } from "node:tls"
import type { ClusterKey } from "./ClusterKeys.ts"

/** How this node takes part in a cluster. */
export interface ClusterNode {
  readonly name: string
  /** Host and port that other nodes connect to. */
  readonly address: string
  readonly keys: ReadonlyArray<ClusterKey>
  /** Takes connections on which another node speaks HTTP. */
  readonly onHttp: (take: (socket: TLSSocket) => void) => void
}

/** Undefined: this node is the only one. */
export const ClusterNode = Context.Reference<ClusterNode | undefined>("@kinora/node/cluster/ClusterNode", {
  defaultValue: () => undefined
})
