import { clientKey } from "@kinora/domain/network/ClientKey"
import { Clock, Context, Data, Deferred, Effect, Layer, Option, Scope, Semaphore } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import type { Namespace, Socket } from "socket.io"
import { KinoraConfig } from "../config/Config.ts"
import { makeClientAddress } from "../http/ClientAddress.ts"
import { RateLimitStore } from "../http/RateLimitStore.ts"
import { Upgrades } from "../http/Upgrades.ts"
import { asksForSession, type Connection, openLibrary, type SocketLibrary, socketPath } from "./SocketLibrary.ts"

/** Sockets per client, where a client is an address or a /64 network. */
const perClient = 500
/** Sockets per client that have joined no namespace. */
const anonymousPerClient = 100
/** Invalid tokens per client. */
const wrongTokens = { max: 20, windowMillis: 60_000, exact: true }
/** How often one connection may try to join a namespace: otherwise it could try any number of tokens at once. */
const tries = 5
/** Time limit for a request body. */
const bodyMillis = 30_000

/** Why a socket may not join a namespace, as text for its client. */
export class SocketRefused extends Data.TaggedError("SocketRefused")<{
  readonly message: string
  /** Whether the token was invalid. After too many of these, the client is refused for a while. */
  readonly wrongToken: boolean
}> {}

/** A part of the socket server. */
export interface NamespaceRules {
  /** The message for clients that tried too often. */
  readonly refusal: string
  /** Lets a socket join and adds it to its rooms, or refuses it. */
  readonly enter: (socket: Socket) => Effect.Effect<void, SocketRefused>
  /** Called for a socket that has joined and is connected. Only such sockets get a `disconnect` event. */
  readonly connected?: (socket: Socket) => void
}

/** Refuses to upgrade the connection to a web socket. */
const refuseUpgrade = (socket: Duplex): void => {
  socket.end("HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
}

const refuseRequest = (response: ServerResponse, status: number): void => {
  response.writeHead(status, { "content-length": "0", "access-control-allow-origin": "*", connection: "close" }).end()
}

/** Ends a request whose body takes too long. */
const endLate = (request: IncomingMessage): void => {
  const late = setTimeout(() => void request.destroy(), bodyMillis)
  request.once("end", () => clearTimeout(late)).once("close", () => clearTimeout(late))
}

const methods: ReadonlySet<string | undefined> = new Set(["GET", "POST", "OPTIONS"])

const make = Effect.gen(function* () {
  const { trust_proxy } = yield* KinoraConfig
  const limits = yield* RateLimitStore
  const upgrades = yield* Upgrades
  const scope = yield* Effect.scope
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const addressOf = makeClientAddress(trust_proxy)
  const opening = yield* Semaphore.make(1)
  const opened = yield* Deferred.make<SocketLibrary>()
  const counts = new Map<string, number>()
  const anonymous = new Map<string, Set<object>>()
  const asked = new WeakMap<object, number>()
  const namespaces = new Map<string, (library: SocketLibrary) => void>()

  const clientOf = ({ headers, socket }: IncomingMessage): string => {
    const forwarded = headers["x-forwarded-for"]
    return clientKey(addressOf(socket.remoteAddress, typeof forwarded === "string" ? forwarded : forwarded?.join(",")))
  }

  const isFull = (client: string): boolean =>
    (counts.get(client) ?? 0) >= perClient || (anonymous.get(client)?.size ?? 0) >= anonymousPerClient

  const known = (client: string, connection: object): void => {
    const others = anonymous.get(client)
    others?.delete(connection)
    if (others?.size === 0) anonymous.delete(client)
  }

  /** Checked again here: many connections may have been opened at once. */
  const counted = (connection: Connection) => {
    const client = clientOf(connection.request)
    if (isFull(client)) return undefined
    counts.set(client, (counts.get(client) ?? 0) + 1)
    anonymous.set(client, (anonymous.get(client) ?? new Set()).add(connection))
    return () => {
      known(client, connection)
      const left = (counts.get(client) ?? 1) - 1
      if (left === 0) counts.delete(client)
      else counts.set(client, left)
    }
  }

  const keyOf = (client: string) => `socket:${client}`

  /** Whether a client has sent too many invalid tokens. */
  const isPast = Effect.fnUntraced(function* (client: string) {
    const now = yield* Clock.currentTimeMillis
    const { used } = yield* limits.hit(keyOf(client), wrongTokens, now)
    yield* limits.refund(keyOf(client), wrongTokens, now)
    return used > wrongTokens.max
  })

  const judge = Effect.fnUntraced(function* (socket: Socket, { enter, refusal }: NamespaceRules) {
    const tried = (asked.get(socket.conn) ?? 0) + 1
    asked.set(socket.conn, tried)
    if (tried > tries) {
      socket.conn.close()
      return new Error(refusal)
    }
    const client = clientOf(socket.request)
    if (yield* isPast(client)) return new Error(refusal)
    const refused = yield* Effect.flip(enter(socket)).pipe(Effect.option)
    if (Option.isNone(refused)) {
      known(client, socket.conn)
      return undefined
    }
    if (refused.value.wrongToken) yield* limits.hit(keyOf(client), wrongTokens, yield* Clock.currentTimeMillis)
    return new Error(refused.value.message)
  })

  const library = opening.withPermits(1)(
    Effect.gen(function* () {
      const made = yield* Deferred.poll(opened)
      if (Option.isSome(made)) return yield* made.value
      const fresh = yield* Effect.provideService(openLibrary(counted), Scope.Scope, scope)
      for (const add of namespaces.values()) add(fresh)
      yield* Deferred.succeed(opened, fresh)
      return fresh
    })
  )

  /** Whether a client may open another socket. */
  const mayCome = Effect.fnUntraced(function* (request: IncomingMessage) {
    const client = clientOf(request)
    return !(yield* isPast(client)) && !isFull(client)
  })

  const admit = Effect.fnUntraced(function* (request: IncomingMessage, socket: Duplex, head: Buffer) {
    if (asksForSession(request.url ?? "") && !(yield* mayCome(request))) return refuseUpgrade(socket)
    const { inner } = yield* library
    if (!socket.destroyed) inner.emit("upgrade", request, socket, head)
  })

  const poll = Effect.fnUntraced(function* (request: IncomingMessage, response: ServerResponse) {
    if (!methods.has(request.method)) return refuseRequest(response, 405)
    const url = request.url ?? ""
    // The library does not answer other paths at all.
    if (!url.startsWith(socketPath)) return refuseRequest(response, 404)
    if (asksForSession(url) && !(yield* mayCome(request))) return refuseRequest(response, 429)
    const { inner } = yield* library
    if (request.destroyed) return
    if (request.method === "POST") endLate(request)
    inner.emit("request", request, response)
  })

  yield* upgrades.take(
    "/socket.io",
    (request, socket, head) => {
      // Until the library has it, nothing else handles its errors.
      socket.on("error", () => socket.destroy())
      fork(admit(request, socket, head).pipe(Effect.tapCause(() => Effect.sync(() => socket.destroy()))))
    },
    (request, response) => {
      fork(poll(request, response).pipe(Effect.tapCause(() => Effect.sync(() => response.destroy()))))
    }
  )

  const namespace = (name: string, rules: NamespaceRules) =>
    Effect.gen(function* () {
      const ready = yield* Deferred.make<Namespace>()
      // A refused client stays away. If the check itself failed, as while the database is down, the client is
      // disconnected so that it reconnects.
      const unknown = (socket: Socket) =>
        Effect.sync(() => {
          socket.conn.close()
          return new Error(rules.refusal)
        })
      const authenticate = (socket: Socket): Promise<Error | undefined> =>
        run(Effect.catchCause(judge(socket, rules), () => unknown(socket)))
      const add = ({ server }: SocketLibrary): void => {
        const made = server.of(name).use((socket, next) => void authenticate(socket).then(next))
        if (rules.connected !== undefined) made.on("connection", rules.connected)
        Deferred.doneUnsafe(ready, Effect.succeed(made))
      }
      namespaces.set(name, add)
      const library = yield* Deferred.poll(opened)
      if (Option.isSome(library)) add(yield* library.value)
      return { opened: Deferred.await(ready) }
    })

  return SocketServer.of({ namespace })
})

/**
 * The one socket.io server of the node, with a namespace for each kind of client (contract: SocketNamespaces). Events
 * are only hints: clients get the same information from the API.
 */
export class SocketServer extends Context.Service<
  SocketServer,
  {
    /** Adds a namespace. `opened` waits until the library is loaded, which happens with the first client. */
    readonly namespace: (
      name: string,
      rules: NamespaceRules
    ) => Effect.Effect<{ readonly opened: Effect.Effect<Namespace> }>
  }
>()("@kinora/node/sockets/SocketServer") {
  /** Needs the configuration, `RateLimitStore`, and `Upgrades` of the listening server. */
  static readonly layer = Layer.effect(SocketServer, make)
}
