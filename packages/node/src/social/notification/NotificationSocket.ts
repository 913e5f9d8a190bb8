import { type MadeNotifications, NotificationWakeups } from "@kinora/storage/social/notification/NotificationWakeups"
import { TokenRows } from "@kinora/storage/people/session/TokenRows"
import { Clock, Duration, Effect, Layer, Option, PubSub, Queue } from "effect"
import type { Socket } from "socket.io"
import { SessionEvents } from "../../people/session/SessionEvents.ts"
import { hashToken, isTokenShaped } from "../../people/session/TokenHash.ts"
import { SocketRefused, SocketServer } from "../../platform/sockets/SocketServer.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { PushedNotifications } from "./PushedNotifications.ts"

/** How often sockets are looked at whose token runs out: nobody says so. */
const lookEvery = Duration.seconds(30)

const roomOf = (userId: number): string => `user ${userId}`
const refused = (message: string, wrongToken = false) => new SocketRefused({ message, wrongToken })

/** A socket that was let in. */
interface Listener {
  readonly userId: number
  readonly token: string
  readonly expiresAt: number
}

/** Clients send the token in the query (contract); in the handshake it stays out of logs of proxies. */
const tokenOf = ({ handshake }: Socket): unknown => handshake.query["accessToken"] ?? handshake.auth["accessToken"]

/**
 * The socket.io namespace `/user-notifications` (contract): whoever shows an access token receives
 * `new-notification` for each new one of its user. A socket ends with its token, and when its user is blocked.
 */
export const NotificationSocket = Layer.effectDiscard(
  Effect.gen(function* () {
    const wakeups = yield* NotificationWakeups
    const pushed = yield* PushedNotifications
    const tokens = yield* TokenRows
    const heard = yield* SessionEvents
    const sockets = yield* SocketServer
    const supervisor = yield* Supervisor
    const listeners = new Map<Socket, Listener>()
    const admitted = new WeakMap<Socket, Listener>()
    const ofUser = new Map<number, Set<Socket>>()

    const remember = (socket: Socket, listener: Listener): void => {
      listeners.set(socket, listener)
      const others = ofUser.get(listener.userId)
      if (others === undefined) ofUser.set(listener.userId, new Set([socket]))
      else others.add(socket)
      socket.once("disconnect", () => {
        listeners.delete(socket)
        const left = ofUser.get(listener.userId)
        left?.delete(socket)
        if (left?.size === 0) ofUser.delete(listener.userId)
      })
    }

    const session = (token: string) => Effect.orDie(tokens.byAccessToken(hashToken(token)))

    const enter = Effect.fnUntraced(function* (socket: Socket) {
      const token = tokenOf(socket)
      if (token === undefined || token === null || token === "") return yield* refused("No access token given")
      if (typeof token !== "string" || !isTokenShaped(token)) return yield* refused("Access token is invalid", true)
      const found = yield* session(token)
      if (Option.isNone(found)) return yield* refused("Access token is invalid", true)
      const { expiresAt, userId } = found.value
      admitted.set(socket, { userId, token, expiresAt })
      yield* Effect.promise(async () => socket.join(roomOf(userId)))
    })

    const fresh = yield* Queue.unbounded<Socket>()
    const namespace = yield* sockets.namespace("/user-notifications", {
      refusal: "Access token is invalid",
      enter,
      connected: (socket) => {
        remember(socket, admitted.get(socket)!)
        Queue.offerUnsafe(fresh, socket)
      }
    })

    /** Ends those of these sockets whose token opens nothing any more. */
    const review = Effect.fnUntraced(function* (some: Iterable<Socket>) {
      for (const socket of [...some]) {
        const listener = listeners.get(socket)
        if (listener === undefined) continue
        if (Option.isNone(yield* session(listener.token))) socket.disconnect(true)
      }
    })

    const endOld = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      for (const [socket, { expiresAt }] of listeners) if (expiresAt <= now) socket.disconnect(true)
    })

    const push = Effect.fnUntraced(function* (made: MadeNotifications) {
      if (ofUser.size === 0) return
      const open = yield* namespace.opened
      for (const { notification, userId } of yield* wakeups.of(made, [...ofUser.keys()])) {
        open.in(roomOf(userId)).emit("new-notification", notification)
      }
    })

    const watch = Effect.gen(function* () {
      const changes = yield* PubSub.subscribe(heard)
      // What was missed before this was heard concerns anybody.
      yield* review(listeners.keys())
      return yield* Effect.forever(
        Effect.flatMap(PubSub.take(changes), (notice) =>
          notice.kind === "user"
            ? review(ofUser.get(notice.userId) ?? [])
            : notice.kind === "up"
              ? review(listeners.keys())
              : Effect.void
        )
      )
    })
    yield* supervisor.run("sessions of sockets", watch)
    // A session may have ended while its socket came in, before anybody knew that it is here.
    yield* supervisor.run(
      "new sockets",
      Effect.forever(Effect.flatMap(Queue.take(fresh), (socket) => review([socket])))
    )
    yield* supervisor.run("expiring sockets", Effect.forever(Effect.andThen(endOld, Effect.sleep(lookEvery))))
    yield* supervisor.run(
      "pushed notifications",
      Effect.forever(
        Effect.flatMap(Queue.take(pushed), (made) =>
          // Whoever misses one asks the API, as after any interruption.
          Effect.catchTag(push(made), "DatabaseUnavailable", () => Effect.void)
        )
      )
    )
  })
).pipe(Layer.provide(SocketServer.layer))
