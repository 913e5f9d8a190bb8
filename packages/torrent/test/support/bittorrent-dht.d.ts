declare module "bittorrent-dht" {
  import type { EventEmitter } from "node:events"

  export class Client extends EventEmitter {
    constructor(options: { readonly bootstrap: false | ReadonlyArray<string> })
    listen(port: number, host: string, listening: () => void): void
    address(): { readonly port: number }
    announce(infoHash: string, port: number, done: (error: Error | null) => void): void
    destroy(done: () => void): void
  }
}
