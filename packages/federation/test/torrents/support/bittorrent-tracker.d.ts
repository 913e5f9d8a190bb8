declare module "bittorrent-tracker/server" {
  import type { EventEmitter } from "node:events"
  import type { AddressInfo } from "node:net"

  export default class Server extends EventEmitter {
    readonly http: { address(): AddressInfo }
    readonly udp: { address(): AddressInfo }
    readonly torrents: Readonly<Record<string, { readonly complete: number } | undefined>>
    constructor(options: {
      readonly http: boolean
      readonly udp: boolean
      readonly ws: boolean
      readonly stats: boolean
    })
    listen(
      port: number,
      hosts: { readonly http: string; readonly udp: string; readonly udp6: string },
      listening: () => void
    ): void
    close(closed: () => void): void
  }
}
