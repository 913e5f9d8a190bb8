import { clientKey } from "@kinora/domain/network/ClientKey"
import type Server from "bittorrent-tracker/server"
import type { Swarm, TrackerSocket } from "bittorrent-tracker/server"
import { Clock, Context, Effect, Layer } from "effect"
import * as limits from "./TrackerLimits.ts"
import { cleanQuery, type HttpAnnounce } from "./TrackerQuery.ts"

/** Number of complete and incomplete peers of a torrent. */
export interface Figures {
  readonly complete: number
  readonly incomplete: number
}

const nobody: Figures = { complete: 0, incomplete: 0 }

const lookAt = 500

const peerKey = (address: string, port: number): string =>
  address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`

/** Number of other ports in the swarm that one client announced. */
const portsOf = (swarm: Swarm, client: string, own: string): number =>
  swarm.peers.keys.filter((key) => {
    if (key === own) return false
    const peer = swarm.peers.peek(key)
    return peer !== undefined && peer.type === "http" && clientKey(peer.ip) === client
  }).length

/**
 * The swarms of this node, managed by the library `bittorrent-tracker`, which is loaded for the first client. Its input
 * is parsed and bounded by us first: it throws on unexpected types, and never removes a swarm by itself.
 */
export class Swarms extends Context.Service<
  Swarms,
  {
    /** Whether there is room for another peer in the swarm. */
    readonly hasRoom: (infoHash: string) => Effect.Effect<boolean>
    /** Whether the client is within its limit of announced ports in the swarm. */
    readonly mayAnnounce: (announce: HttpAnnounce, address: string) => Effect.Effect<boolean>
    /** The answer in bencode. `address` is the client's real address, whatever the announce says. */
    readonly announce: (announce: HttpAnnounce, address: string) => Effect.Effect<Uint8Array>
    /** Passes a web socket to the library, which listens to its `message` and `close`. */
    readonly connect: (socket: TrackerSocket) => Effect.Effect<void>
    readonly figures: (infoHash: string) => Figures
    /** The number of swarms and peers. */
    readonly size: () => { readonly swarms: number; readonly peers: number }
    /** Removes silent peers, empty swarms, and swarms of torrents that `served` does not return. */
    readonly sweep: <E>(
      served: (infoHashes: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, E>
    ) => Effect.Effect<void, E>
  }
>()("@kinora/torrent/tracker/Swarms") {
  static readonly layer = Layer.effect(
    Swarms,
    Effect.gen(function* () {
      let running: Server | undefined
      const server = yield* Effect.cached(
        Effect.promise(async () => {
          const { default: Tracker } = await import("bittorrent-tracker/server")
          running = new Tracker({
            http: false,
            udp: false,
            ws: false,
            stats: false,
            interval: limits.announceIntervalMillis,
            peersCacheLength: limits.peersPerSwarm,
            peersCacheTtl: limits.peerLifetimeMillis
          })
          return running
        })
      )
      yield* Effect.addFinalizer(() => Effect.sync(() => running?.close()))

      const size = () => {
        const swarms = Object.values(running?.torrents ?? {})
        return { swarms: swarms.length, peers: swarms.reduce((sum, swarm) => sum + swarm.peers.length, 0) }
      }

      // Never too low: each announce counts as a new peer until they are counted again.
      let atMost = { swarms: 0, peers: 0 }
      let countedAt = 0
      const hasRoom = Effect.fnUntraced(function* (infoHash: string) {
        const tracker = yield* server
        const added = tracker.torrents[infoHash] === undefined ? 1 : 0
        const fits = () => atMost.swarms + added <= limits.maxSwarms && atMost.peers < limits.maxPeers
        if (!fits()) {
          const now = yield* Clock.currentTimeMillis
          if (Math.abs(now - countedAt) >= 1000) {
            countedAt = now
            atMost = size()
          }
        }
        if (!fits()) return false
        atMost = { swarms: atMost.swarms + added, peers: atMost.peers + 1 }
        return true
      })

      const sweep = Effect.fnUntraced(function* <E>(
        served: (infoHashes: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, E>
      ) {
        if (running === undefined) return
        const { torrents } = running
        for (const [infoHash, swarm] of Object.entries(torrents)) {
          for (const key of swarm.peers.keys) swarm.peers.peek(key)
          if (swarm.peers.length === 0) delete torrents[infoHash]
        }
        const left = Object.keys(torrents)
        for (let start = 0; start < left.length; start += lookAt) {
          const some = left.slice(start, start + lookAt)
          const allowed = yield* served(some)
          for (const infoHash of some) if (!allowed.has(infoHash)) delete torrents[infoHash]
        }
        atMost = size()
      })

      return Swarms.of({
        hasRoom,
        mayAnnounce: ({ infoHash, port }, address) =>
          Effect.map(server, ({ torrents }) => {
            const swarm = torrents[infoHash]
            if (swarm === undefined || swarm.peers.length < limits.portsPerClient) return true
            return portsOf(swarm, clientKey(address), peerKey(address, port)) < limits.portsPerClient
          }),
        announce: (announce, address) =>
          Effect.flatMap(server, (tracker) =>
            Effect.callback<Uint8Array>((resume) => {
              tracker.onHttpRequest(
                { url: cleanQuery(announce), headers: {}, connection: { remoteAddress: address } },
                { end: (bytes = new Uint8Array()) => resume(Effect.succeed(bytes)) },
                { action: "announce" }
              )
            })
          ),
        connect: (socket) => Effect.map(server, (tracker) => tracker.onWebSocketConnection(socket)),
        figures: (infoHash) => {
          const swarm = running?.torrents[infoHash]
          return swarm === undefined ? nobody : { complete: swarm.complete, incomplete: swarm.incomplete }
        },
        size,
        sweep
      })
    })
  )
}
