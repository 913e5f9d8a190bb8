import { LiveRows } from "@kinora/storage/live/LiveRows"
import { Duration, Effect, Layer, PubSub } from "effect"
import type { Namespace, Socket } from "socket.io"
import { SocketServer } from "../../platform/sockets/SocketServer.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { LiveEvents } from "../session/LiveEvents.ts"

/** How often viewers are counted for those who watch. */
const countEvery = Duration.seconds(10)

/** Lives that one socket may listen to. */
const most = 50

const prefix = "live "
const roomOf = (videoId: number): string => `${prefix}${videoId}`

/** The id in what a client sends: `{ videoId }`. */
const idIn = (sent: unknown): number | undefined => {
  const id = typeof sent === "object" && sent !== null ? (sent as { readonly videoId?: unknown }).videoId : undefined
  const number = typeof id === "string" ? Number(id) : id
  return typeof number === "number" && Number.isSafeInteger(number) && number > 0 ? number : undefined
}

const hear = (socket: Socket): void => {
  const own = () => [...socket.rooms].filter((room) => room.startsWith(prefix)).length
  socket.on("subscribe", (sent: unknown) => {
    const id = idIn(sent)
    if (id !== undefined && own() < most) void socket.join(roomOf(id))
  })
  socket.on("unsubscribe", (sent: unknown) => {
    const id = idIn(sent)
    if (id !== undefined) void socket.leave(roomOf(id))
  })
}

/** Lives that somebody listens to. */
const heardOf = ({ adapter }: Namespace): ReadonlyArray<number> =>
  [...adapter.rooms.keys()].filter((room) => room.startsWith(prefix)).map((room) => Number(room.slice(prefix.length)))

/**
 * The socket.io namespace `/live-videos` (contract: SocketNamespaces), open to everybody: `subscribe` and `unsubscribe` name
 * a video; `state-change`, `views-change` and `force-end` follow.
 */
export const LiveSocket = Layer.effectDiscard(
  Effect.gen(function* () {
    const events = yield* LiveEvents
    const rows = yield* LiveRows
    const sockets = yield* SocketServer
    const supervisor = yield* Supervisor
    const lives = yield* sockets.namespace("/live-videos", {
      refusal: "Too many connections",
      enter: () => Effect.void,
      connected: hear
    })

    const announce = Effect.gen(function* () {
      const changes = yield* PubSub.subscribe(events)
      const namespace = yield* lives.opened
      for (;;) {
        const { forced, state, videoId } = yield* PubSub.take(changes)
        const room = namespace.in(roomOf(videoId))
        room.emit("state-change", { state })
        if (forced === true) room.emit("force-end")
      }
    })

    const count = Effect.gen(function* () {
      const namespace = yield* lives.opened
      yield* Effect.sleep(countEvery)
      const ids = heardOf(namespace)
      if (ids.length === 0) return
      for (const { videoId, viewers } of yield* rows.viewers(ids)) {
        namespace.in(roomOf(videoId)).emit("views-change", { viewers })
      }
    })

    yield* supervisor.run("live events", Effect.scoped(announce))
    yield* supervisor.run(
      "live viewers",
      Effect.forever(Effect.catchTag(count, "DatabaseUnavailable", () => Effect.void))
    )
  })
).pipe(Layer.provide(Layer.merge(LiveRows.layer, SocketServer.layer)))
