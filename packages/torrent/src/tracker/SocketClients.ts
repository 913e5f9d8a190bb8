import { clientKey } from "@kinora/domain/network/ClientKey"
import { Context, Effect, Layer } from "effect"
import { maxSockets, socketsPerClient } from "./TrackerLimits.ts"

/** A slot for a socket; `client` is the address, or for IPv6 its /64 network. */
export interface Place {
  readonly client: string
  /** The peer id of this socket: only one, so that it cannot act for others. */
  peerId: string | undefined
  /** Removes the socket from its swarms. */
  readonly withdraw: () => void
}

/** Web sockets connected to the tracker, and their peer ids. */
export class SocketClients extends Context.Service<
  SocketClients,
  {
    /** A slot for another socket of the client. Undefined if the client or the node has reached its limit. */
    readonly enter: (address: string, withdraw: () => void) => Place | undefined
    readonly leave: (place: Place) => void
    /** A place for a web socket that is connected to another node, which counts it. It needs no slot here. */
    readonly elsewhere: (address: string, withdraw: () => void) => Place
    /** Frees the peer id of such a place. */
    readonly release: (place: Place) => void
    /**
     * Whether the socket may announce with this peer id: its own, and not in use by a connected client. A client that
     * reconnects takes its peer id with it.
     */
    readonly claim: (place: Place, peerId: string) => boolean
    readonly count: () => number
  }
>()("@kinora/torrent/tracker/SocketClients") {
  static readonly layer = Layer.effect(
    SocketClients,
    Effect.sync(() => {
      const perClient = new Map<string, number>()
      const names = new Map<string, Place>()
      let total = 0
      const release = (place: Place) => {
        if (place.peerId !== undefined && names.get(place.peerId) === place) names.delete(place.peerId)
      }
      return SocketClients.of({
        enter: (address, withdraw) => {
          const client = clientKey(address)
          const held = perClient.get(client) ?? 0
          if (held >= socketsPerClient || total >= maxSockets) return undefined
          perClient.set(client, held + 1)
          total++
          return { client, peerId: undefined, withdraw }
        },
        leave: (place) => {
          const left = (perClient.get(place.client) ?? 1) - 1
          if (left === 0) perClient.delete(place.client)
          else perClient.set(place.client, left)
          total--
          release(place)
        },
        elsewhere: (address, withdraw) => ({ client: clientKey(address), peerId: undefined, withdraw }),
        release,
        claim: (place, peerId) => {
          if (place.peerId !== undefined) return place.peerId === peerId && names.get(peerId) === place
          const holder = names.get(peerId)
          if (holder !== undefined && holder.client !== place.client) return false
          // Before the new one joins: the library identifies peers by id, and would remove the wrong one later.
          holder?.withdraw()
          place.peerId = peerId
          names.set(peerId, place)
          return true
        },
        count: () => total
      })
    })
  )
}
