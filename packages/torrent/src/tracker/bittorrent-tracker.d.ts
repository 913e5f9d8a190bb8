// The package comes without types; these are the parts of its server that we call.
declare module "bittorrent-tracker/server" {
  import type { EventEmitter } from "node:events"
  import type { AddressInfo } from "node:net"

  export interface SwarmPeer {
    readonly type: "http" | "ws"
    readonly ip: string
  }

  export interface Swarm {
    readonly complete: number
    readonly incomplete: number
    readonly peers: {
      readonly length: number
      readonly keys: ReadonlyArray<string>
      /** Lets go of the peer when it has been silent for too long. */
      peek(key: string): SwarmPeer | undefined
    }
  }

  export interface Connection {
    readonly remoteAddress: string
    readonly remotePort?: number
  }

  export interface TrackerSocket extends EventEmitter {
    upgradeReq: { readonly headers: object; readonly connection: Connection } | null
    send(text: string, done?: (error?: Error) => void): void
  }

  export default class Server extends EventEmitter {
    constructor(options: {
      readonly http: boolean
      readonly udp: boolean
      readonly ws: false
      readonly stats: false
      readonly interval?: number
      readonly peersCacheLength?: number
      readonly peersCacheTtl?: number
    })
    /** Servers of its own, which only tests start. */
    readonly http: { address(): AddressInfo }
    readonly udp: { address(): AddressInfo }
    listen(
      port: number,
      hosts: { readonly http: string; readonly udp: string; readonly udp6: string },
      listening: () => void
    ): void
    readonly torrents: Record<string, Swarm>
    onHttpRequest(
      request: { readonly url: string; readonly headers: object; readonly connection: Connection },
      response: { end(bytes?: Uint8Array): void },
      options: { readonly action: "announce" }
    ): void
    onWebSocketConnection(socket: TrackerSocket): void
    close(closed?: () => void): void
  }
}
