// The package comes without types; these are the parts of its server that we call.
declare module "bittorrent-tracker/server" {
  import type { EventEmitter } from "node:events"

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
      readonly http: false
      readonly udp: false
      readonly ws: false
      readonly stats: false
      readonly interval: number
      readonly peersCacheLength: number
      readonly peersCacheTtl: number
    })
    readonly torrents: Record<string, Swarm>
    onHttpRequest(
      request: { readonly url: string; readonly headers: object; readonly connection: Connection },
      response: { end(bytes?: Uint8Array): void },
      options: { readonly action: "announce" }
    ): void
    onWebSocketConnection(socket: TrackerSocket): void
    close(): void
  }
}
