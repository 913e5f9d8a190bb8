import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http"
import { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { guardBodies } from "./BodyGuard.ts"
import { makeProxyTrust, plainAddress } from "./ClientAddress.ts"
import type { HttpOptions } from "./HttpOptions.ts"
import { canonicalPath } from "./RequestPath.ts"
import { makeUpgrades, type Upgrades } from "./Upgrades.ts"

const refusals: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout"
}

/** Answers what cannot be read as a request (RFC 9112, 2.2, 6.3, 11.2) and closes: nothing after it can be trusted. */
const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy()
    return
  }
  const status = refusals[error.code ?? ""] ?? "400 Bad Request"
  const [code, ...title] = status.split(" ")
  const body = JSON.stringify({ type: "about:blank", title: title.join(" "), status: Number(code) })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/problem+json; charset=utf-8\r\n` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
  )
}

/** Refuses connections of a client that already has its share of them; proxies have those of many. */
const capClients = (server: Server, perClient: number, isProxy: (address: string) => boolean): void => {
  const open = new Map<string, number>()
  server.on("connection", (socket) => {
    const address = plainAddress(socket.remoteAddress ?? "")
    if (isProxy(address)) return
    const count = (open.get(address) ?? 0) + 1
    if (count > perClient) {
      socket.destroy()
      return
    }
    open.set(address, count)
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  })
}

/**
 * Keeps what is asked while the routes are still being made and hands it over when they are there: the port is open
 * before, and a request nobody listens for would never be answered.
 */
const holdEarlyRequests = (server: Server): void => {
  const early: Array<readonly [IncomingMessage, ServerResponse]> = []
  const hold = (request: IncomingMessage, response: ServerResponse): void => void early.push([request, response])
  const handOver = (event: string | symbol, listener: RequestListener): void => {
    if (event !== "request") return
    server.off("newListener", handOver)
    // The listener is added after this event.
    queueMicrotask(() => {
      server.off("request", hold)
      for (const [request, response] of early) listener(request, response)
    })
  }
  server.on("request", hold)
  server.on("newListener", handOver)
}

/** The frame that closes a web socket because its server goes away (RFC 6455, 5.5.1, 7.4.1: 1001). */
const goingAway = Buffer.from([0x88, 0x02, 0x03, 0xe9])

/**
 * Ends web sockets when the server stops accepting: it waits for all of its connections, and those would stay for as long
 * as they are let. Gives what others tell of those that they have taken.
 */
const endWebSockets = (server: Server): ((socket: Duplex) => void) => {
  const open = new Set<Socket>()
  const track = (socket: Duplex): void => {
    if (!(socket instanceof Socket)) return
    open.add(socket)
    socket.once("close", () => open.delete(socket))
  }
  server.on("upgrade", (_request, socket) => {
    if (!(socket instanceof Socket)) return
    if (server.listenerCount("upgrade") === 1) {
      // The routes are still being made, and nobody would answer.
      socket.destroy()
      return
    }
    track(socket)
  })
  const close = server.close.bind(server)
  server.close = (done) => {
    for (const socket of open) {
      socket.write(goingAway)
      socket.destroySoon()
    }
    return close(done)
  }
  return track
}

/** A server, and what stops all that it runs besides. */
export interface NodeServer {
  readonly server: Server
  readonly upgrades: Upgrades["Service"]
  readonly stop: () => void
}

/** A node:http server with our limits; it does not listen yet. */
export const makeNodeServer = (options: HttpOptions): NodeServer => {
  const server = createServer({
    insecureHTTPParser: false,
    requireHostHeader: true,
    rejectNonStandardBodyWrites: true,
    maxHeaderSize: 16 * 1024,
    headersTimeout: options.headersTimeoutMillis,
    // Bodies are held to their own times by `guardBodies`.
    requestTimeout: 0,
    keepAliveTimeout: options.keepAliveTimeoutMillis,
    connectionsCheckingInterval: Math.min(5000, options.headersTimeoutMillis),
    noDelay: true,
    // Anything else that asks for an upgrade is answered as the plain request it also is (RFC 9110, 7.8).
    shouldUpgradeCallback: (request) =>
      request.headers.upgrade?.toLowerCase() === "websocket" && options.isWebSocket(canonicalPath(request.url ?? ""))
  })
  server.timeout = options.idleTimeoutMillis
  server.maxConnections = options.maxConnections
  server.on("clientError", refuse)
  capClients(server, options.maxConnectionsPerClient, makeProxyTrust(options.trustProxy))
  const track = endWebSockets(server)
  const stopGuard = guardBodies(server, options)
  holdEarlyRequests(server)
  return { server, upgrades: makeUpgrades(server, track), stop: stopGuard }
}
