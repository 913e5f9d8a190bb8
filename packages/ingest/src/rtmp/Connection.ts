import { Clock, Duration, Effect, Redacted, type Stream } from "effect"
import type { FlvTag } from "../flv/FlvTag.ts"
import type { Publisher, PublishRefused, PublishRequest } from "../Publisher.ts"
import { ConnectionEnded } from "./ConnectionEnded.ts"
import { Link } from "./Link.ts"
import { Negotiation, type Wish } from "./Negotiation.ts"
import { runPlayback } from "./Playback.ts"
import { runPublication } from "./Publication.ts"
import { status } from "./Replies.ts"
import type { RtmpLimits } from "./RtmpLimits.ts"
import type { SocketBytes } from "./SocketBytes.ts"
import { Watchdog } from "./Watchdog.ts"

/** Who wants to watch a stream. */
export interface PlayRequest extends PublishRequest {}

/** What the program does with publishers and players. */
export interface RtmpHandlers {
  readonly publish: (request: PublishRequest) => Effect.Effect<Publisher, PublishRefused>
  /** Tags for a player, starting with metadata and sequence headers. */
  readonly play: (request: PlayRequest) => Effect.Effect<Stream.Stream<FlvTag>, PublishRefused>
}

/** Where a connection comes from. */
export interface Origin {
  readonly protocol: "rtmp" | "rtmps"
  readonly address: string
}

const tooSlow = new ConnectionEnded({ end: "idle", detail: "no command to publish in time" })
const done = new ConnectionEnded({ end: "closed", detail: "closed by the peer" })

/** Reads commands until the peer wants to publish or play. */
const negotiate = Effect.fnUntraced(function* (link: Link): Effect.fn.Return<Wish, ConnectionEnded> {
  const negotiation = new Negotiation()
  for (;;) {
    const message = yield* link.next
    const step = yield* negotiation.step(message)
    yield* link.send(step.replies)
    if (step.over === true) return yield* done
    if (step.wish !== undefined) return step.wish
  }
})

/** Serves one connection from the handshake to its last status. */
export const serveConnection = Effect.fnUntraced(function* (
  socket: SocketBytes,
  origin: Origin,
  limits: RtmpLimits,
  handlers: RtmpHandlers
): Effect.fn.Return<void> {
  const link = new Link(socket, limits)
  const watchdog = new Watchdog(yield* Clock.Clock)
  const idleTime = Duration.fromInputUnsafe(limits.idleTime)
  let streamId = 0

  const session = Effect.gen(function* () {
    watchdog.allow(Duration.fromInputUnsafe(limits.commandTime))
    const wish = yield* Effect.raceFirst(negotiate(link), Effect.andThen(watchdog.expired, Effect.fail(tooSlow)))
    streamId = wish.streamId
    watchdog.pause()
    const request = { ...origin, app: wish.app, key: Redacted.make(wish.key) }
    if (wish.kind === "play") {
      const stream = yield* Effect.mapError(handlers.play(request), refused("NetStream.Play.StreamNotFound"))
      link.admit("play")
      return yield* runPlayback(link, socket, stream, streamId, watchdog, idleTime)
    }
    const admission = Effect.mapError(handlers.publish(request), refused("NetStream.Publish.BadName"))
    return yield* runPublication(link, streamId, admission, watchdog, idleTime)
  })

  yield* session.pipe(
    Effect.catchTag("ConnectionEnded", (ended) => {
      if (ended.status !== undefined) {
        const level = ended.status.code === "NetStream.Unpublish.Success" ? "status" : "error"
        link.last(status(streamId, level, ended.status.code, ended.status.description))
      }
      return Effect.logDebug(`RTMP connection ended: ${ended.detail}`)
    }),
    Effect.andThen(socket.finish)
  )
})

const refused = (code: string) => (refusal: PublishRefused) =>
  new ConnectionEnded({ end: "closed", detail: "refused", status: { code, description: refusal.reason } })
