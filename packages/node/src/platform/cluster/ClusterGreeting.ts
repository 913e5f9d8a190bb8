import type { ClusterNodeReads } from "@kinora/storage/platform/cluster/ClusterNodeReads"
import { Effect } from "effect"
import { connect } from "node:tls"
import type { ClusterKey } from "./ClusterKeys.ts"
import { aliveSeconds } from "./ClusterTimes.ts"
import { clientTls, handshakeMillis, protocols } from "./ClusterTls.ts"

const isRefusal = (error: NodeJS.ErrnoException): boolean => error.code?.startsWith("ERR_SSL_") === true

/** Whether the node at this address knows our key; undefined: it cannot be reached. */
const knows = (address: string, keys: ReadonlyArray<ClusterKey>) =>
  Effect.callback<boolean | undefined>((resume) => {
    const at = address.lastIndexOf(":")
    const socket = connect({
      ...clientTls(keys, protocols.rpc),
      host: address.slice(0, at),
      port: Number(address.slice(at + 1)),
      timeout: handshakeMillis
    })
    const end = (known: boolean | undefined) => {
      socket.destroy()
      resume(Effect.succeed(known))
    }
    socket.once("secureConnect", () => end(true))
    socket.once("timeout", () => end(undefined))
    socket.on("error", (error) => end(isRefusal(error) ? false : undefined))
    return Effect.sync(() => socket.destroy())
  })

/**
 * Calls the other nodes once at start. A node whose secret differs would take shards to which nobody can send: it does not
 * start. One that cannot be reached is only warned of, since it may be stopping.
 */
export const greetOthers = Effect.fnUntraced(function* (
  nodes: ClusterNodeReads["Service"],
  own: string,
  keys: ReadonlyArray<ClusterKey>
) {
  const all = yield* nodes
    .all(aliveSeconds)
    .pipe(
      Effect.catchTag("DatabaseUnavailable", (error) =>
        Effect.as(Effect.logWarning("The secrets of other nodes could not be compared with this one's", error), [])
      )
    )
  for (const { address, alive } of all) {
    if (!alive || address === own) continue
    const known = yield* knows(address, keys)
    if (known === undefined) {
      yield* Effect.logWarning(`The node ${address} cannot be reached: check cluster.address and the firewall`)
    }
    if (known === false) {
      return yield* Effect.die(
        new Error(
          `The node ${address} has another secret: set the same cluster.secret, or copy the secret key (docs/secrets.md)`
        )
      )
    }
  }
})
