import { Effect, type Scope } from "effect"
import {
  type AgentOptions,
  Agent as HttpAgent,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions
} from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import { isIP, type Socket } from "node:net"
import { getCACertificates } from "node:tls"
import { TimedOut, Unreachable } from "./FetchError.ts"
import { type Endpoint, endpointOf } from "./FetchGuard.ts"
import type { FetchOptions } from "./FetchOptions.ts"

/** One `GET`, or a `POST` where there is a body. */
export interface HopRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Must bear to be sent twice: a kept connection may break after the host has read it. */
  readonly body?: Uint8Array
}

/** No connection came about, or a kept one (`stale`) was closed meanwhile: trying another may do better. */
interface NotConnected {
  readonly _tag: "NotConnected"
  readonly stale: boolean
  readonly reason: Unreachable | TimedOut
}

/** The host said nothing for too long while its answer was read. */
class Silence extends Error {}

export interface Exchange {
  /**
   * Sends a request to the first of the addresses that takes the connection and gives the head of the answer; the body is
   * unread. With the scope ends the connection, unless the body was read to its end: then it is kept for the next one.
   */
  readonly send: (
    request: HopRequest,
    addresses: ReadonlyArray<string>
  ) => Effect.Effect<IncomingMessage, Unreachable | TimedOut, Scope.Scope>
}

const keptMillis = 10_000
const maxHeaderBytes = 32 * 1024

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EFAILED"

/** What a broken connection is called, whenever it breaks. */
export const brokenConnection = (error: unknown): Unreachable | TimedOut =>
  error instanceof Silence ? new TimedOut({ phase: "idle" }) : new Unreachable({ code: codeOf(error) })

const bounded = <A extends HttpAgent>(agent: A, idleConnections: number): A => {
  const keep = agent.keepSocketAlive.bind(agent)
  // Node.js bounds the idle connections of one host, not those of all. The host used longest ago gives way.
  agent.keepSocketAlive = (socket) => {
    const idle = Object.values(agent.freeSockets).flatMap((list) => list?.filter((it) => !it.destroyed) ?? [])
    if (idle.length >= idleConnections) idle[0]?.destroy()
    return idleConnections > 0 && keep(socket)
  }
  return agent
}

const attempt = (
  { body, url, headers }: HopRequest,
  endpoint: Endpoint,
  address: string,
  agent: HttpAgent,
  options: FetchOptions
) =>
  Effect.callback<IncomingMessage, Unreachable | TimedOut | NotConnected>((resume) => {
    const tls = url.protocol === "https:"
    let connected = false
    let silent = false
    let reused = false
    let answer: IncomingMessage | undefined
    const settings: RequestOptions & { servername?: string } = {
      method: body === undefined ? "GET" : "POST",
      agent,
      // An address in place of the name: nothing is resolved again. The name goes into `Host`, and for TLS into the
      // name that is asked for and verified (an address is verified as an address).
      host: address,
      port: endpoint.port,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host },
      maxHeaderSize: maxHeaderBytes,
      insecureHTTPParser: false,
      timeout: options.connectMillis,
      ...(tls ? { servername: isIP(endpoint.hostname) === 0 ? endpoint.hostname.replace(/\.$/, "") : "" } : {})
    }
    const request = (tls ? httpsRequest : httpRequest)(settings)
    const failure = (error: unknown) => {
      const phase = connected ? "idle" : "connect"
      const reason = silent ? new TimedOut({ phase }) : brokenConnection(error)
      // The host may have closed a kept connection while this request was on its way.
      const stale = reused && !silent
      return !connected || stale ? { _tag: "NotConnected" as const, stale, reason } : reason
    }
    request.on("socket", (socket: Socket) => {
      const ready = () => {
        connected = true
        socket.setTimeout(options.idleMillis)
      }
      reused = request.reusedSocket
      if (socket.connecting) socket.once(tls ? "secureConnect" : "connect", ready)
      else ready()
    })
    request.on("timeout", () => {
      silent = true
      if (answer === undefined) request.destroy()
      else answer.destroy(new Silence())
    })
    request.on("error", (error) => resume(Effect.fail(failure(error))))
    request.on("response", (head) => {
      answer = head
      // From here on errors reach whoever reads the body; before that, nobody listens.
      answer.on("error", () => {})
      resume(Effect.succeed(answer))
    })
    // The only word of a host that switches to another protocol, whose connection Node.js then closes.
    request.on("close", () => resume(Effect.fail(new Unreachable({ code: "ECLOSED" }))))
    request.end(body)
    return Effect.sync(() => request.destroy())
  })

const release = (answer: IncomingMessage) =>
  Effect.sync(() => {
    if (!answer.readableEnded) answer.destroy()
  })

/** Makes the connections: one agent each for http and https, whose kept connections are found by address and name. */
export const makeExchange = (options: FetchOptions): Effect.Effect<Exchange, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const settings: AgentOptions = { keepAlive: true, timeout: keptMillis, scheduling: "lifo" }
        const ca =
          options.certificates.length === 0 ? {} : { ca: [...getCACertificates("default"), ...options.certificates] }
        return {
          http: bounded(new HttpAgent(settings), options.idleConnections),
          https: bounded(new HttpsAgent({ ...settings, ...ca, minVersion: "TLSv1.2" }), options.idleConnections)
        }
      }),
      (agents) =>
        Effect.sync(() => {
          agents.http.destroy()
          agents.https.destroy()
        })
    ),
    (agents) => ({
      send: Effect.fnUntraced(function* (request, addresses) {
        const endpoint = endpointOf(request.url)
        const agent = request.url.protocol === "https:" ? agents.https : agents.http
        let last: Unreachable | TimedOut = new Unreachable({ code: "ENOADDRESS" })
        let retried = false
        for (let i = 0; i < addresses.length; i++) {
          const tried = yield* Effect.acquireRelease(
            attempt(request, endpoint, addresses[i] as string, agent, options),
            release,
            { interruptible: true }
          ).pipe(Effect.catchTag("NotConnected", Effect.succeed))
          if (!("_tag" in tried)) return tried
          last = tried.reason
          if (tried.stale && !retried) {
            retried = true
            i--
          }
        }
        return yield* Effect.fail(last)
      })
    })
  )
