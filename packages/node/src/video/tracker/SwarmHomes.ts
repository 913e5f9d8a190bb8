import { Clock, Effect } from "effect"
import { createHash } from "node:crypto"
import { Peers } from "../../platform/cluster/Peers.ts"
import { Placement } from "../../platform/cluster/Placement.ts"
import { nodeName } from "../../platform/jobs/NodeName.ts"

/** Milliseconds for which a node that did not answer has no swarms: after that its loss is known, or it is back. */
const avoidedFor = 10_000

/** Which node has a swarm. */
export interface SwarmHomes {
  readonly own: string
  /** The node that has the swarm. */
  readonly of: (infoHash: string) => Effect.Effect<string>
  /** A node did not answer: its swarms are elsewhere for ten seconds. */
  readonly avoid: (node: string) => Effect.Effect<void>
  /** Whether a node is known to be alive. */
  readonly isAlive: (node: string) => boolean
}

const weight = (infoHash: string, node: string): string =>
  createHash("sha1").update(`${infoHash} ${node}`).digest("hex")

/**
 * Places each swarm on one of the nodes that answer requests: the one with the highest hash of torrent and node (rendezvous
 * hashing). All nodes find the same one, and only swarms of a node that comes or goes move.
 */
export const swarmHomes = Effect.gen(function* () {
  const { roles, several } = yield* Placement
  const peers = yield* Peers
  const own = yield* nodeName
  const avoided = new Map<string, number>()
  let others: ReadonlyArray<string> = []

  const of = Effect.fnUntraced(function* (infoHash: string) {
    // While the database is away the nodes are those of before.
    others = yield* peers.others.pipe(
      Effect.map((all) => all.filter(({ roles }) => roles.includes("api")).map(({ name }) => name)),
      Effect.catchTag("DatabaseUnavailable", () => Effect.succeed(others))
    )
    if (others.length === 0) return own
    const now = yield* Clock.currentTimeMillis
    for (const [node, until] of avoided) if (until <= now || until > now + avoidedFor) avoided.delete(node)
    // Other nodes do not choose this one if it has another role alone.
    let best = { node: own, weight: roles.has("api") ? weight(infoHash, own) : "" }
    for (const node of others) {
      if (avoided.has(node)) continue
      const its = weight(infoHash, node)
      if (its > best.weight) best = { node, weight: its }
    }
    return best.node
  })

  return {
    own,
    of: several ? of : () => Effect.succeed(own),
    avoid: (node) => Effect.map(Clock.currentTimeMillis, (now) => void avoided.set(node, now + avoidedFor)),
    isAlive: (node) => others.includes(node)
  } satisfies SwarmHomes
})
