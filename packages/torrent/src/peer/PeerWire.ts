import Wire from "bittorrent-protocol"
import type { Socket } from "node:net"
import { makePeerFrames } from "./PeerFrames.ts"

/** The library parses in a separate turn of the event loop, where its exceptions could not be caught. */
class ContainedWire extends Wire {
  readonly #failed: () => void

  constructor(failed: () => void) {
    super("tcpOutgoing")
    this.#failed = failed
  }

  override _write(bytes: Uint8Array, done: (error: Error | null) => void): void {
    try {
      super._write(bytes, () => {})
    } catch {
      this.#failed()
    }
    done(null)
  }
}

/**
 * The peer protocol (BEP 3, 6, 10) over a connection. Every error, in the connection, in the protocol or in a listener
 * of the wire, is reported by one call of `ended`, and never thrown: `broken` if the peer sent something invalid.
 * `close` does not call it.
 */
export const connectWire = (
  socket: Socket,
  ended: (broken: boolean) => void
): { readonly wire: Wire; readonly close: () => void } => {
  let open = true
  const close = () => {
    if (!open) return
    open = false
    wire.destroy()
    socket.destroy()
  }
  const end = (broken: boolean) => {
    if (!open) return
    close()
    ended(broken)
  }
  const wire = new ContainedWire(() => end(true))
  wire.on("error", () => end(true))
  wire.on("finish", () => end(true))
  wire.on("data", (bytes: Uint8Array) => {
    if (open) socket.write(bytes)
  })
  const frames = makePeerFrames((message) => {
    wire.write(message)
  })
  socket.on("error", () => end(false))
  socket.on("close", () => end(false))
  socket.on("data", (bytes: Buffer) => {
    if (!open) return
    try {
      frames(bytes)
    } catch {
      end(true)
    }
  })
  return { wire, close }
}
