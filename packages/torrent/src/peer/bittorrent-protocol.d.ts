// What is used of the package, which has no types of its own.
declare module "bittorrent-protocol" {
  import type { EventEmitter } from "node:events"

  export interface WireExtension {
    new (wire: Wire): object
    readonly prototype: { readonly name: string }
  }

  export default class Wire extends EventEmitter {
    readonly peerPieces: { get(index: number): boolean }
    readonly peerChoking: boolean
    constructor(type?: string)
    /** Bytes of the peer. */
    write(bytes: Uint8Array): boolean
    /** Takes the bytes given to `write`, in a turn of the event loop of its own. */
    _write(bytes: Uint8Array, done: (error: Error | null) => void): void
    handshake(infoHash: string, peerId: Uint8Array, extensions: { readonly fast: boolean }): void
    keepAlive(): void
    interested(): void
    request(
      piece: number,
      offset: number,
      length: number,
      done: (error: Error | null, bytes: Uint8Array | null) => void
    ): void
    extended(extension: string, payload: Uint8Array): void
    use(extension: WireExtension): void
    destroy(): void
  }
}
