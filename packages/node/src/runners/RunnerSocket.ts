import { RunnerJobBoard } from "@kinora/storage/runners/RunnerJobBoard"
import { Clock, Deferred, Duration, Effect, Layer, Option, Queue, Scope, Semaphore, Stream } from "effect"
import { createServer, type IncomingMessage, type Server as HttpServer } from "node:http"
import type { Duplex } from "node:stream"
import type { Namespace, Socket } from "socket.io"
import { KinoraConfig } from "../config/Config.ts"
import { clientKey, makeClientAddress } from "../http/ClientAddress.ts"
import { RateLimitStore } from "../http/RateLimitStore.ts"
import { Upgrades } from "../http/Upgrades.ts"
import { Supervisor } from "../supervision/Supervisor.ts"
import { RunnerAccess } from "./RunnerAccess.ts"

/** Bytes of a message from a runner: it has nothing to say but its token. */
const maxMessageBytes = 16 * 1024
/** Time to show a token. */
const connectMillis = 10_000
/** Sockets of one client, a client being an address or a /64 network. */
const perClient = 500
/** Tokens that one client may get wrong. */
const wrongTokens = { max: 20, windowMillis: 60_000 }
/** Runners are told once in so long, however many jobs there are (contract: available-jobs). */
const tellEvery = Duration.seconds(1)

const longestToken = 1000
/** Times one connection may ask for the namespace: it could try any number of tokens, all at once. */
const tries = 5

const roomOf = (runnerId: number | string): string => `runner ${runnerId}`

/** Answers that no web socket is made of the connection. */
const refuse = (socket: Duplex): void => {
  socket.end("HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
}

/** The library, and the server it takes connections from: one that listens nowhere. */
interface Sockets {
  readonly inner: HttpServer
  readonly runners: Namespace
}

/** socket.io, loaded when the first runner comes. Nothing is open but the namespace of runners. */
const open = (authenticate: (socket: Socket) => Promise<Error | undefined>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { Server } = await import("socket.io")
      const inner = createServer()
      const server = new Server(inner, {
        path: "/socket.io/",
        serveClient: false,
        transports: ["websocket"],
        allowUpgrades: false,
        maxHttpBufferSize: maxMessageBytes,
        connectTimeout: connectMillis
      })
      server.of("/").use((_socket, next) => next(new Error("Nothing is told here")))
      const runners = server.of("/runners").use((socket, next) => {
        void authenticate(socket).then(next)
      })
      return { server, inner, runners }
    }),
    ({ server }) => Effect.promise(() => server.close())
  )

/**
 * The socket.io namespace `/runners` (contract: runner-protocol.json, socket): runners that show their token are told that
 * there is work. What they are told is a hint: who asks for jobs without it gets the same.
 */
export const RunnerSocket = Layer.effectDiscard(
  Effect.gen(function* () {
    const { trust_proxy } = yield* KinoraConfig
    const access = yield* RunnerAccess
    const board = yield* RunnerJobBoard
    const limits = yield* RateLimitStore
    const supervisor = yield* Supervisor
    const upgrades = yield* Upgrades
    const scope = yield* Effect.scope
    const fork = Effect.runForkWith(yield* Effect.context<never>())
    const run = Effect.runPromiseWith(yield* Effect.context<never>())
    const addressOf = makeClientAddress(trust_proxy)
    const opening = yield* Semaphore.make(1)
    const opened = yield* Deferred.make<Sockets>()
    const counts = new Map<string, number>()
    const asked = new WeakMap<object, number>()

    const clientOf = ({ headers, socket }: IncomingMessage): string => {
      const forwarded = headers["x-forwarded-for"]
      return clientKey(
        addressOf(socket.remoteAddress, typeof forwarded === "string" ? forwarded : forwarded?.join(","))
      )
    }

    const keyOf = (client: string) => `runner socket:${client}`

    /** Whether a client got too many tokens wrong. */
    const isPast = Effect.fnUntraced(function* (client: string) {
      const now = yield* Clock.currentTimeMillis
      const { used } = yield* limits.hit(keyOf(client), wrongTokens, now)
      yield* limits.refund(keyOf(client), wrongTokens, now)
      return used > wrongTokens.max
    })

    const judge = Effect.fnUntraced(function* (socket: Socket) {
      const tried = (asked.get(socket.conn) ?? 0) + 1
      asked.set(socket.conn, tried)
      if (tried > tries) {
        socket.conn.close()
        return new Error("Runner token is invalid")
      }
      const token: unknown = socket.handshake.auth["runnerToken"]
      if (token === undefined || token === null || token === "") return new Error("No runner token provided")
      if (typeof token !== "string" || token.length > longestToken) return new Error("Runner token is invalid")
      const client = clientOf(socket.request)
      if (yield* isPast(client)) return new Error("Runner token is invalid")
      const runner = yield* access.knows(token)
      if (Option.isNone(runner)) {
        yield* limits.hit(keyOf(client), wrongTokens, yield* Clock.currentTimeMillis)
        return new Error("Invalid runner token.")
      }
      yield* Effect.promise(async () => socket.join(roomOf(runner.value.id)))
      return undefined
    })

    const authenticate = (socket: Socket): Promise<Error | undefined> =>
      run(Effect.catchCause(judge(socket), () => Effect.succeed(new Error("Runner token is invalid"))))

    const sockets = opening.withPermits(1)(
      Effect.gen(function* () {
        const made = yield* Deferred.poll(opened)
        if (Option.isSome(made)) return yield* made.value
        const fresh = yield* Effect.provideService(open(authenticate), Scope.Scope, scope)
        yield* Deferred.succeed(opened, fresh)
        return fresh
      })
    )

    const admit = Effect.fnUntraced(function* (request: IncomingMessage, socket: Duplex, head: Buffer) {
      const client = clientOf(request)
      const past = yield* isPast(client)
      const count = counts.get(client) ?? 0
      if (past || count >= perClient) return refuse(socket)
      // It would be counted for ever: its end was told already.
      if (socket.destroyed) return
      counts.set(client, count + 1)
      socket.once("close", () => {
        const left = (counts.get(client) ?? 1) - 1
        if (left === 0) counts.delete(client)
        else counts.set(client, left)
      })
      const { inner } = yield* sockets
      inner.emit("upgrade", request, socket, head)
    })

    yield* upgrades.take("/socket.io", (request, socket, head) => {
      // Until the library has it, nobody else looks after its errors.
      socket.on("error", () => socket.destroy())
      fork(admit(request, socket, head).pipe(Effect.tapCause(() => Effect.sync(() => socket.destroy()))))
    })

    const bell = yield* Queue.sliding<void>(1)
    const hear = Effect.gen(function* () {
      const { runners } = yield* Deferred.await(opened)
      return yield* Stream.runForEach(board.wakeUps, (told) =>
        told === ""
          ? Queue.offer(bell, undefined)
          : Effect.sync(() => void runners.in(roomOf(told)).disconnectSockets(true))
      )
    })
    const tell = Effect.gen(function* () {
      yield* Queue.take(bell)
      const { runners } = yield* Deferred.await(opened)
      runners.emit("available-jobs")
      yield* Effect.sleep(tellEvery)
    })
    yield* supervisor.run("runner notices", Effect.andThen(hear, Effect.die("the notices of runner jobs ended")))
    yield* supervisor.run("telling runners", Effect.forever(tell))
  })
)
