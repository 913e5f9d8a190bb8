import * as NodeSocket from "@effect/platform-node/NodeSocket"
import { Effect, FiberSet, type Scope } from "effect"
import * as NetAddress from "effect/net/NetAddress"
import type { Socket } from "effect/socket/Socket"
import { SocketServer } from "effect/socket/SocketServer"
import type { AddressInfo, Socket as NetSocket } from "node:net"
import { createServer, type TLSSocket } from "node:tls"
import type { ClusterKey } from "./ClusterKeys.ts"
import { protocols, serverTls } from "./ClusterTls.ts"

/** Handshakes at once: of more, the oldest ends, so that whoever fills the port cannot keep nodes out. */
const mostHandshakes = 64
const mostConnections = 1_024

export interface ClusterPortOptions {
  readonly hostname: string
  /** 0: one that is free. */
  readonly port: number
  readonly keys: ReadonlyArray<ClusterKey>
}

export interface ClusterPort {
  /** Messages of the cluster. */
  readonly sockets: SocketServer["Service"]
  /** Takes connections on which another node speaks HTTP; until somebody does, they are closed. */
  readonly onHttp: (take: (socket: TLSSocket) => void) => void
  readonly port: number
}

const keyOf = (socket: NetSocket): string => `${socket.remoteAddress} ${socket.remotePort}`

/** Ends what does not get through its handshake while others wait. */
const boundHandshakes = () => {
  const shaking = new Map<string, NetSocket>()
  return {
    began: (socket: NetSocket) => {
      const key = keyOf(socket)
      shaking.set(key, socket)
      socket.once("close", () => {
        if (shaking.get(key) === socket) shaking.delete(key)
      })
      if (shaking.size > mostHandshakes) shaking.values().next().value?.destroy()
    },
    done: (socket: NetSocket) => void shaking.delete(keyOf(socket))
  }
}

/**
 * The port on which nodes reach each other: TLS with a shared key, so nothing is read from anybody who does not prove to
 * know it. What a connection is for is said in its handshake. Dies when the address cannot be listened on.
 */
export const clusterPort = Effect.fnUntraced(function* (
  options: ClusterPortOptions
): Effect.fn.Return<ClusterPort, never, Scope.Scope> {
  const handshakes = boundHandshakes()
  const waiting = new Set<TLSSocket>()
  let takeRpc = (socket: TLSSocket): void => void waiting.add(socket)
  let takeHttp = (socket: TLSSocket): void => void socket.destroy()

  const server = createServer(serverTls(options.keys), (socket) => {
    handshakes.done(socket)
    socket.on("error", () => socket.destroy())
    socket.setNoDelay(true)
    if (socket.alpnProtocol === protocols.rpc) takeRpc(socket.pause())
    else if (socket.alpnProtocol === protocols.http) takeHttp(socket)
    else socket.destroy()
  })
  server.maxConnections = mostConnections
  server.on("connection", handshakes.began)
  server.on("tlsClientError", (_error, socket) => socket.destroy())

  yield* Effect.acquireRelease(
    Effect.callback<void, Error>((resume) => {
      server.once("error", (error) => resume(Effect.fail(error)))
      server.listen(options.port, options.hostname, () => resume(Effect.void))
    }).pipe(
      Effect.catch((error) =>
        Effect.die(new Error(`The cluster cannot listen on ${options.hostname}:${options.port}: ${error.message}`))
      )
    ),
    () => Effect.sync(() => void server.close())
  )
  const bound = server.address() as AddressInfo

  const run = <R, E, A>(handler: (socket: Socket) => Effect.Effect<A, E, R>): Effect.Effect<never, never, R> =>
    Effect.gen(function* () {
      const fork = yield* FiberSet.makeRuntime<R>()
      const serve = (socket: TLSSocket): void => {
        const open = Effect.acquireRelease(Effect.succeed(socket), (it) => Effect.sync(() => it.destroySoon()))
        fork(
          NodeSocket.fromDuplex(open, { tlsServer: true }).pipe(
            Effect.flatMap(handler),
            Effect.ignoreCause({ log: "Debug", message: "A connection of another node ended" }),
            Effect.scoped
          ) as Effect.Effect<void, never, R>
        )
      }
      takeRpc = serve
      for (const socket of waiting) serve(socket)
      waiting.clear()
      return yield* Effect.never
    }).pipe(
      Effect.ensuring(Effect.sync(() => void (takeRpc = (socket) => void socket.destroy()))),
      Effect.scoped
    ) as Effect.Effect<never, never, R>

  return {
    sockets: SocketServer.of({
      address: yield* Effect.orDie(Effect.fromResult(NetAddress.inetAddressFromIpString(bound.address, bound.port))),
      run
    }),
    onHttp: (take) => void (takeHttp = take),
    port: bound.port
  }
})
