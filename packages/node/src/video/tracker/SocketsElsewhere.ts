import { type Place, SocketClients } from "@kinora/torrent/tracker/SocketClients"
import type { SocketPeer } from "@kinora/torrent/tracker/SocketPeer"
import { Swarms } from "@kinora/torrent/tracker/Swarms"
import { maxSockets, peerLifetimeMillis } from "@kinora/torrent/tracker/TrackerLimits"
import { Clock, Effect } from "effect"
import { EventEmitter } from "node:events"
import { Peers } from "../../platform/cluster/Peers.ts"
import type { PeerQueues } from "../../platform/cluster/PeerQueues.ts"
import { calls, decodeToSwarm, type ToSocket, type ToSwarm } from "./SwarmMessages.ts"
import type { SwarmsHere } from "./SwarmsHere.ts"

/** A web socket at another node that is in swarms of this one. */
interface Proxy {
  readonly place: Place
  readonly socket: SocketPeer["socket"]
  /** When its node last sent something of it, milliseconds since 1970. */
  at: number
}

interface Sockets {
  /** Another one is that of a node which was started again: its web sockets are others. */
  readonly run: string
  readonly proxies: Map<string, Proxy>
}

/**
 * Stands in for web sockets of other nodes in the swarms of this one. Each of their nodes has as many as one may have. `sweep`
 * removes those that were silent for as long as a peer may be, and those of nodes that `isAlive` does not name.
 */
export const socketsElsewhere = Effect.fnUntraced(function* (here: SwarmsHere, queues: PeerQueues<ToSocket>) {
  const peers = yield* Peers
  const swarms = yield* Swarms
  const clients = yield* SocketClients
  const nodes = new Map<string, Sockets>()

  const leave = ({ place, socket }: Proxy) => {
    socket.emit("close")
    clients.release(place)
  }

  const leaveAll = (node: string) => {
    for (const proxy of nodes.get(node)?.proxies.values() ?? []) leave(proxy)
    nodes.delete(node)
  }

  const socketsOf = (node: string, run: string): Sockets["proxies"] => {
    const known = nodes.get(node)
    if (known?.run === run) return known.proxies
    leaveAll(node)
    const proxies = new Map<string, Proxy>()
    nodes.set(node, { run, proxies })
    return proxies
  }

  const connect = Effect.fnUntraced(function* (node: string, id: string, address: string, port: number, at: number) {
    const socket: SocketPeer["socket"] = Object.assign(new EventEmitter(), {
      upgradeReq: { headers: {}, connection: { remoteAddress: address, remotePort: port } },
      send: (text: string) => queues.send(node, { socket: id, text }, text.length)
    })
    yield* swarms.connect(socket)
    return { place: clients.elsewhere(address, () => void socket.emit("close")), socket, at }
  })

  const take = Effect.fnUntraced(function* (node: string, proxies: Sockets["proxies"], message: ToSwarm) {
    const known = proxies.get(message.socket)
    if ("closed" in message) {
      proxies.delete(message.socket)
      return known === undefined ? undefined : leave(known)
    }
    const now = yield* Clock.currentTimeMillis
    if (known === undefined && proxies.size >= maxSockets) return
    const proxy = known ?? (yield* connect(node, message.socket, message.address, message.port, now))
    proxies.set(message.socket, proxy)
    proxy.at = now
    yield* here.receive(proxy.place, proxy.socket, message.frame)
  })

  yield* peers.answer(calls.toSwarm, (input) =>
    Effect.orDie(decodeToSwarm(input)).pipe(
      Effect.flatMap(({ messages, node, run }) => {
        const proxies = socketsOf(node, run)
        return Effect.forEach(messages, (message) => take(node, proxies, message), { discard: true })
      })
    )
  )
  yield* Effect.addFinalizer(() => Effect.sync(() => [...nodes.keys()].forEach(leaveAll)))

  return {
    sweep: Effect.fnUntraced(function* (isAlive: (node: string) => boolean) {
      const now = yield* Clock.currentTimeMillis
      for (const [node, { proxies }] of nodes) {
        if (!isAlive(node)) leaveAll(node)
        else {
          for (const [id, proxy] of proxies) {
            if (Math.abs(now - proxy.at) < peerLifetimeMillis) continue
            proxies.delete(id)
            leave(proxy)
          }
        }
      }
    })
  }
})
