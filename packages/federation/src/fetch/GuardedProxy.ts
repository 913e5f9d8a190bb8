import { Context, Effect, FiberSet, Layer, Redacted, type Scope } from "effect"
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type Server } from "node:http"
import { type AddressInfo, isIP, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { Refused } from "./FetchError.ts"
import { endpointOf, FetchGuard } from "./FetchGuard.ts"
import type { FetchOptionsInput } from "./FetchOptions.ts"
import { connectToAny, relay } from "./Tunnel.ts"

export interface ProxyLimits {
  /** Bytes of all tunnels together, both ways. */
  readonly maxBytes: number
  /** Tunnels at a time. Default 16. */
  readonly maxTunnels?: number
  /** Whether only addresses of IPv4 are connected to. Default false. */
  readonly ipv4Only?: boolean
}

export interface ProxyRun {
  /**
   * `http://kinora:<token>@127.0.0.1:<port>`, for the environment of a tool (`HTTPS_PROXY`) rather than for its
   * arguments, which every user of the machine can read.
   */
  readonly url: Redacted.Redacted<string>
  /** Bytes that went through until now. */
  readonly bytes: Effect.Effect<number>
  /** Whether tunnels were closed because of `maxBytes`: what the tool has then is not whole. */
  readonly exhausted: Effect.Effect<boolean>
}

const user = "kinora"
const digest = (text: string) => createHash("sha256").update(text).digest()

const statuses = { Refused: 403, Busy: 503, TimedOut: 504, Unreachable: 502 } as const
const phrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  403: "Forbidden",
  407: "Proxy Authentication Required",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout"
}

const refuse = (client: Duplex, status: number) => {
  const challenge = status === 407 ? 'Proxy-Authenticate: Basic realm="kinora"\r\n' : ""
  client.end(
    `HTTP/1.1 ${status} ${phrases[status] ?? "Error"}\r\n${challenge}Content-Length: 0\r\nConnection: close\r\n\r\n`
  )
}

/** A server on a free port of 127.0.0.1 that is closed, with all its connections, with the scope. */
const listen: Effect.Effect<Server, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.callback<{ readonly server: Server; readonly sockets: Set<Socket> }>((resume) => {
      const server = createServer()
      const sockets = new Set<Socket>()
      server.on("connection", (socket) => {
        sockets.add(socket)
        socket.on("error", () => {})
        socket.on("close", () => sockets.delete(socket))
      })
      server.once("error", (error) => resume(Effect.die(error)))
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed({ server, sockets })))
    }),
    ({ server, sockets }) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
  ),
  ({ server }) => server
)

/**
 * A way into the network for tools that make their own connections: an HTTP proxy on loopback that knows `CONNECT` (RFC
 * 9110, 9.3.6) alone and holds every tunnel against the rules of `FetchGuard`. It lives as long as the scope it was opened
 * in, and opens to whoever shows its token.
 */
export class GuardedProxy extends Context.Service<
  GuardedProxy,
  { open(limits: ProxyLimits): Effect.Effect<ProxyRun, never, Scope.Scope> }
>()("@kinora/federation/fetch/GuardedProxy") {
  static readonly layerNoDeps: Layer.Layer<GuardedProxy, never, FetchGuard> = Layer.effect(
    GuardedProxy,
    Effect.map(FetchGuard, (guard) => GuardedProxy.of({ open: openWith(guard) }))
  )

  /** With rules of its own; see `GuardedFetch.layer`. */
  static readonly layer = (options: FetchOptionsInput): Layer.Layer<GuardedProxy> =>
    GuardedProxy.layerNoDeps.pipe(Layer.provide(FetchGuard.layer(options)))
}

function openWith(guard: FetchGuard["Service"]) {
  const { options } = guard

  const tunnel = Effect.fnUntraced(
    function* (authority: string, client: Socket, head: Buffer, spend: (bytes: number) => boolean, ipv4Only: boolean) {
      if (!/^[^\s/@?#\\]+:\d+$/.test(authority)) return yield* new Refused({ what: "url", detail: "not host:port" })
      const target = yield* guard.url(`https://${authority}`)
      const endpoint = endpointOf(target)
      const ticket = yield* guard.enter(endpoint)
      const remote = yield* Effect.gen(function* () {
        const vetted = yield* guard.addresses(endpoint.hostname, guard.isUnusual(target))
        const addresses = ipv4Only ? vetted.filter((address) => isIP(address) === 4) : vetted
        if (addresses.length === 0) return yield* new Refused({ what: "address", detail: "no address of IPv4" })
        return yield* connectToAny(addresses, endpoint.port, options.connectMillis)
      }).pipe(
        Effect.tap(() => ticket.answered),
        Effect.tapError((reason) => (reason._tag === "Refused" ? Effect.void : ticket.failed))
      )
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n")
      if (head.length > 0) client.unshift(head)
      yield* relay(client, remote, options.idleMillis, spend)
    },
    Effect.scoped,
    (effect, _authority, client) =>
      Effect.catch(effect, (reason) => Effect.sync(() => refuse(client, statuses[reason._tag])))
  )

  return Effect.fn("GuardedProxy.open")(function* (limits: ProxyLimits) {
    const token = randomBytes(24).toString("base64url")
    const expected = digest(`Basic ${Buffer.from(`${user}:${token}`).toString("base64")}`)
    const { ipv4Only = false, maxBytes, maxTunnels = 16 } = limits
    let bytes = 0
    let tunnels = 0
    const spend = (more: number) => (bytes += more) <= maxBytes

    const server = yield* listen
    const run = yield* FiberSet.makeRuntime<never, void, never>()
    server.on("request", (_, response) => {
      response.writeHead(403, { connection: "close" }).end()
    })
    server.on("connect", (request: IncomingMessage, client: Socket, head: Buffer) => {
      if (!timingSafeEqual(digest(request.headers["proxy-authorization"] ?? ""), expected)) return refuse(client, 407)
      if (tunnels >= maxTunnels || bytes > maxBytes) return refuse(client, 503)
      tunnels += 1
      run(
        tunnel(request.url ?? "", client, head, spend, ipv4Only).pipe(
          Effect.ensuring(Effect.sync(() => void (tunnels -= 1)))
        )
      )
    })
    const { port } = server.address() as AddressInfo
    return {
      url: Redacted.make(`http://${user}:${token}@127.0.0.1:${port}`),
      bytes: Effect.sync(() => bytes),
      exhausted: Effect.sync(() => bytes > maxBytes)
    }
  })
}
