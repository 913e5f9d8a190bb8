import { Duration, Effect } from "effect"
import type { Socket } from "node:net"

/** How long a peer may take to read the last bytes and to close. */
const closingTime = Duration.seconds(2)

/**
 * Reads a socket only when asked to: what the kernel and the stream hold is all that waits, and
 * the peer is slowed by TCP.
 */
export class SocketBytes {
  readonly #socket: Socket
  #over = false
  #wakeReader: (() => void) | undefined
  #wakeWriter: (() => void) | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    const over = () => {
      this.#over = true
      this.#wakeReader?.()
      this.#wakeWriter?.()
    }
    socket.on("readable", () => this.#wakeReader?.())
    socket.on("drain", () => this.#wakeWriter?.())
    socket.on("end", over)
    socket.on("close", over)
    socket.on("error", () => socket.destroy())
  }

  /** Whether nothing more comes and nothing more can be sent. */
  get isOver(): boolean {
    return this.#over
  }

  /** The bytes that are there; undefined if there are none yet. */
  read(): Buffer | undefined {
    return (this.#socket.read() as Buffer | null) ?? undefined
  }

  /** Waits until there may be bytes, or the socket is over. */
  readonly readable: Effect.Effect<void> = Effect.callback((resume) => {
    if (this.#over || this.#socket.readableLength > 0) return resume(Effect.void)
    this.#wakeReader = () => resume(Effect.void)
    return Effect.sync(() => {
      this.#wakeReader = undefined
    })
  })

  /** Bytes that were sent and that the kernel has not taken. */
  get unsent(): number {
    return this.#socket.writableLength
  }

  /** Sends bytes. False: the peer does not keep up. */
  write(bytes: Uint8Array): boolean {
    return this.#over || this.#socket.write(bytes)
  }

  /** Waits until the peer has taken what was sent, or the socket is over. */
  readonly drained: Effect.Effect<void> = Effect.callback((resume) => {
    if (this.#over || !this.#socket.writableNeedDrain) return resume(Effect.void)
    this.#wakeWriter = () => resume(Effect.void)
    return Effect.sync(() => {
      this.#wakeWriter = undefined
    })
  })

  /**
   * Sends what is left and closes. Bytes of the peer are read and dropped meanwhile: unread ones would reset the connection,
   * and the peer would not see the last status.
   */
  readonly finish: Effect.Effect<void> = Effect.callback<void>((resume) => {
    if (this.#socket.closed || this.#socket.destroyed) return resume(Effect.void)
    this.#socket.once("close", () => resume(Effect.void))
    this.#socket.removeAllListeners("readable")
    this.#socket.resume()
    this.#socket.end()
  }).pipe(Effect.timeoutOption(closingTime), Effect.asVoid)
}
