import { Effect, FiberSet, type Scope } from "effect"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { ListenError } from "../ListenError.ts"
import { type Origin, type RtmpHandlers, serveConnection } from "./Connection.ts"
import { ConnectionCounts, plainAddress } from "./ConnectionCounts.ts"
import { defaultRtmpLimits, type RtmpLimits } from "./RtmpLimits.ts"
import { SocketBytes } from "./SocketBytes.ts"

export interface RtmpOptions {
  readonly host: string
  readonly port: number
  /** PEM texts; with them the server speaks RTMPS. */
  readonly tls?: { readonly key: string; readonly cert: string }
  readonly limits?: Partial<RtmpLimits>
}

const tlsMillis = 10_000

const serverOf = (options: RtmpOptions, accept: (socket: Socket) => void): Server => {
  const settings = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 }
  if (options.tls === undefined) return createServer(settings, accept)
  return createTlsServer({ ...settings, ...options.tls, handshakeTimeout: tlsMillis, minVersion: "TLSv1.2" }, accept)
}

/** Serves an accepted connection. A defect ends this connection, and nothing else. */
const serve = (socket: Socket, origin: Origin, limits: RtmpLimits, handlers: RtmpHandlers): Effect.Effect<void> =>
  Effect.suspend(() => serveConnection(new SocketBytes(socket), origin, limits, handlers)).pipe(
    Effect.catchDefect((defect) => Effect.logError("An RTMP connection died", defect)),
    Effect.ensuring(Effect.sync(() => socket.destroy())),
    Effect.annotateLogs({ protocol: origin.protocol, address: origin.address })
  )

/**
 * Listens for RTMP publishers and players, until the scope closes, which closes all connections. Each connection has a fiber
 * of its own. `port` is the one that the system chose when 0 was asked for.
 */
export const listenRtmp = Effect.fnUntraced(function* (
  options: RtmpOptions,
  handlers: RtmpHandlers
): Effect.fn.Return<{ readonly port: number }, ListenError, Scope.Scope> {
  const limits = { ...defaultRtmpLimits, ...options.limits }
  const protocol = options.tls === undefined ? "rtmp" : "rtmps"
  const counts = new ConnectionCounts(limits)
  const sockets = new Set<Socket>()
  const run = yield* FiberSet.makeRuntime<never, void, never>()
  const accept = (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? "")
    run(serve(socket, { protocol, address }, limits, handlers))
  }
  /** Counts a connection before anything of it is read, and before TLS. */
  const admit = (socket: Socket) => {
    const release = counts.take(plainAddress(socket.remoteAddress ?? ""))
    socket.on("error", () => socket.destroy())
    if (release === undefined) return socket.destroy()
    sockets.add(socket)
    socket.once("close", () => {
      sockets.delete(socket)
      release()
    })
  }
  const fail = (cause: Error) =>
    new ListenError({ message: `RTMP cannot listen on ${options.host}:${options.port}: ${cause.message}`, cause })
  const server = yield* Effect.try({
    try: () => serverOf(options, (socket) => (socket.destroyed ? undefined : accept(socket))),
    catch: (cause) => fail(cause instanceof Error ? cause : new Error(String(cause)))
  })
  server.prependListener("connection", admit)
  yield* Effect.acquireRelease(
    Effect.callback<void, ListenError>((resume) => {
      server.once("error", (cause) => resume(Effect.fail(fail(cause))))
      server.listen(options.port, options.host, () => {
        server.removeAllListeners("error")
        resume(Effect.void)
      })
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
  )
  // An accept that fails (no descriptors) leaves the listener as it is.
  const warn = yield* FiberSet.makeRuntime<never, void, never>()
  server.on("error", (cause) => warn(Effect.logWarning("RTMP could not accept a connection", cause)))
  return { port: (server.address() as AddressInfo).port }
})
