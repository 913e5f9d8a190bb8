import { Clock, Duration, Effect, FiberSet, type Scope } from "effect"
import type { ListenError } from "../ListenError.ts"
import type { Peer } from "./Answers.ts"
import { makeHandshakes } from "./Handshakes.ts"
import { type Listener, OpenConnections } from "./OpenConnections.ts"
import type { SrtHandlers } from "./SrtHandlers.ts"
import { defaultSrtLimits, type SrtLimits } from "./SrtLimits.ts"
import { controlType, readPacket } from "./SrtPacket.ts"
import { udpSocket } from "./UdpSocket.ts"

export interface SrtOptions {
  readonly host: string
  readonly port: number
  /** Publishers encrypt with it. Without one they must not encrypt. */
  readonly passphrase?: string
  readonly limits?: Partial<SrtLimits>
}

/** Acknowledgements are sent this often (SRT 4.8.1). */
const tickTime = Duration.millis(10)

/**
 * Listens for SRT publishers in live mode until the scope closes, which closes all connections. All share one socket; each has a
 * fiber of its own. `port` is the one that the system chose when 0 was asked for.
 */
export const listenSrt = Effect.fnUntraced(function* (
  options: SrtOptions,
  handlers: SrtHandlers
): Effect.fn.Return<{ readonly port: number }, ListenError, Scope.Scope> {
  const limits = { ...defaultSrtLimits, ...options.limits }
  const socket = yield* udpSocket(options.host, options.port)
  const run = yield* FiberSet.makeRuntime<never, void, never>()
  const connections = new OpenConnections()
  const send: Listener["send"] = (bytes, { address, port }) => {
    // What is lost is sent again, whether here or on the way.
    socket.send(bytes, port, address, () => {})
  }
  const listener: Listener = { limits, connections, passphrase: options.passphrase, send, clock: yield* Clock.Clock }
  const handshakes = yield* makeHandshakes(listener, handlers)
  socket.on("error", (cause) => run(Effect.logWarning("The SRT socket reports an error", cause)))
  const receive = (bytes: Buffer, peer: Peer) => {
    const packet = readPacket(bytes)
    if (packet === undefined) return undefined
    if (packet.socketId !== 0) connections.take(packet, peer)
    else if (packet.kind === "control" && packet.type === controlType.handshake) {
      return handshakes.take(packet.body, peer)
    }
    return undefined
  }
  socket.on("message", (bytes, { address, port }) => {
    // A mistake of ours costs the packet, and not the process.
    try {
      const work = receive(bytes, { address, port })
      if (work !== undefined) run(work)
    } catch (defect) {
      run(Effect.logError("A packet of SRT was not understood", defect))
    }
  })
  yield* Effect.forkScoped(
    Effect.forever(Effect.andThen(connections.some, Effect.andThen(Effect.sleep(tickTime), connections.tick)))
  )
  return { port: socket.address().port }
})
