import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type RequestListener } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net"
import type { TLSSocket } from "node:tls"

/** A server of a test on 127.0.0.1, and what it saw. */
export interface Origin {
  readonly port: number
  readonly url: (path: string, host?: string) => string
  readonly seen: ReadonlyArray<{
    readonly method: string
    readonly path: string
    readonly headers: IncomingMessage["headers"]
    readonly servername: string | false | null
  }>
  /** Connections that were made, and those that are open now. */
  readonly connections: () => { readonly made: number; readonly open: number }
}

const listening = <A extends Server>(server: A): Effect.Effect<readonly [A, Set<Socket>], never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback((resume) => {
      const sockets = new Set<Socket>()
      server.on("connection", (socket: Socket) => {
        sockets.add(socket)
        socket.on("error", () => {})
        socket.on("close", () => sockets.delete(socket))
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed([server, sockets] as const)))
    }),
    ([server, sockets]) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
  )

/** Serves with a listener over http, or over https where a certificate is given. */
export const origin = Effect.fnUntraced(function* (
  listener: RequestListener,
  tls?: { readonly key: string; readonly cert: string }
) {
  const seen: Array<Origin["seen"][number]> = []
  let made = 0
  const recording: RequestListener = (request, response) => {
    const { method = "", url = "", headers } = request
    const servername = tls === undefined ? null : ((request.socket as TLSSocket).servername ?? false)
    seen.push({ method, path: url, headers, servername })
    listener(request, response)
  }
  const plain = tls === undefined ? createServer(recording) : createTlsServer(tls, recording)
  plain.on("connection", () => made++)
  const [server, sockets] = yield* listening(plain)
  const { port } = server.address() as AddressInfo
  const scheme = tls === undefined ? "http" : "https"
  return {
    port,
    url: (path: string, host = "127.0.0.1") => `${scheme}://${host}:${port}${path}`,
    seen,
    connections: () => ({ made, open: sockets.size })
  } satisfies Origin
})

/** A server without a protocol: what it gets and says is up to the test. */
export const tcpServer = Effect.fnUntraced(function* (connected: (socket: Socket) => void) {
  const [server, sockets] = yield* listening(
    createTcpServer((socket) => {
      connected(socket)
      // Unread, a socket does not hear of its end.
      socket.resume()
    })
  )
  return { port: (server.address() as AddressInfo).port, open: () => sockets.size }
})

/** A port of 127.0.0.1 on which nobody listens. */
export const closedPort = Effect.scoped(
  Effect.map(
    tcpServer(() => {}),
    ({ port }) => port
  )
)
