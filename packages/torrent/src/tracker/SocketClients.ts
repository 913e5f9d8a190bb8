import { clientKey } from "@kinora/domain/network/ClientKey"
import { Context, Effect, Layer } from "effect"
import { mostSockets, socketsPerClient } from "./TrackerLimits.ts"

/** A place that was taken; `client` is the address, of IPv6 its /64 network. */
export interface Place {
  readonly client: string
  /** Whom this socket speaks for: one peer, so that it cannot speak for others. */
  peerId: string | undefined
  /** Takes the socket out of its swarms. */
  readonly withdraw: () => void
}

/** Who is connected to the tracker by web sockets, and under which names. */
export class SocketClients extends Context.Service<
  SocketClients,
  {
    /** A place for one more socket of the client; none when it, or the node, has its share. */
    readonly enter: (address: string, withdraw: () => void) => Place | undefined
    readonly leave: (place: Place) => void
    /**
     * Whether the socket may announce under the name: its own, and nobody else's as long as they are connected. A client
     * that connects again takes its name with it.
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
      return SocketClients.of({
        enter: (address, withdraw) => {
          const client = clientKey(address)
          const held = perClient.get(client) ?? 0
          if (held >= socketsPerClient || total >= mostSockets) return undefined
          perClient.set(client, held + 1)
          total++
          return { client, peerId: undefined, withdraw }
        },
        leave: (place) => {
          const left = (perClient.get(place.client) ?? 1) - 1
          if (left === 0) perClient.delete(place.client)
          else perClient.set(place.client, left)
          total--
          if (place.peerId !== undefined && names.get(place.peerId) === place) names.delete(place.peerId)
        },
        claim: (place, peerId) => {
          if (place.peerId !== undefined) return place.peerId === peerId && names.get(peerId) === place
          const holder = names.get(peerId)
          if (holder !== undefined && holder.client !== place.client) return false
          // Before the new one joins: the library knows peers by their names, and would let the wrong one leave later.
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
