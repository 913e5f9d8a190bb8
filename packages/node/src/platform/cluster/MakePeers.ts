import type { ClusterNodeReads } from "@kinora/storage/platform/cluster/ClusterNodeReads"
import { Duration, Effect, FiberSet, type Scope } from "effect"
import { recent } from "../memory/Recent.ts"
import type { ClusterKey } from "./ClusterKeys.ts"
import type { ClusterPort } from "./ClusterPort.ts"
import { aliveSeconds } from "./ClusterTimes.ts"
import { peerAnswers } from "./PeerAnswers.ts"
import { peerCalls } from "./PeerCalls.ts"
import { type Peers, PeerUnreachable } from "./Peers.ts"

/** Messages to other nodes on their way; more are dropped. */
const mostSending = 256
const broadcastWithin = Duration.seconds(5)

/** How this node speaks with the others, whose addresses it reads from the database. */
export const makePeers = Effect.fnUntraced(function* (options: {
  readonly nodes: ClusterNodeReads["Service"]
  readonly port: ClusterPort
  readonly keys: ReadonlyArray<ClusterKey>
  readonly address: string
}): Effect.fn.Return<Peers, never, Scope.Scope> {
  const send = yield* peerCalls(options.keys)
  const answer = yield* peerAnswers(options.port)
  const alive = recent(options.nodes.alive(aliveSeconds), "1 second")
  const sending = yield* FiberSet.make<void>()

  const call: Peers["call"] = Effect.fnUntraced(
    function* (node, name, input) {
      const found = (yield* alive).find((it) => it.name === node)
      if (found === undefined) return yield* Effect.fail("it is not there")
      return yield* send(found.address, name, input)
    },
    (effect, node) => Effect.mapError(effect, (cause) => new PeerUnreachable({ node, cause }))
  )

  const others = Effect.map(alive, (all) => all.filter(({ address }) => address !== options.address))

  const sendToAll = (name: string, input: unknown) =>
    Effect.flatMap(others, (all) =>
      Effect.forEach(all, ({ address }) => Effect.ignore(Effect.timeout(send(address, name, input), broadcastWithin)), {
        concurrency: "unbounded",
        discard: true
      })
    )

  return {
    others,
    answer,
    call,
    broadcast: (name, input) =>
      Effect.flatMap(FiberSet.size(sending), (size) =>
        size < mostSending ? Effect.asVoid(FiberSet.run(sending, Effect.ignore(sendToAll(name, input)))) : Effect.void
      )
  }
})
