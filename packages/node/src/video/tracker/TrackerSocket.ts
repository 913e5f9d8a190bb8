import { scrapeFlags } from "@kinora/torrent/tracker/TrackerAnswer"
import { Problem } from "@kinora/domain/errors/ProblemError"
import { RateLimited } from "@kinora/domain/errors/RequestErrors"
import { Clock, Context, Duration, Effect, Layer, Option, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { CloseEvent, type SocketError, type Writer } from "effect/socket/Socket"
import type { IncomingMessage } from "node:http"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RateLimitStore } from "../../platform/http/RateLimitStore.ts"
import { type Place, SocketClients } from "@kinora/torrent/tracker/SocketClients"
import { makeSocketPeer, type SocketPeer } from "@kinora/torrent/tracker/SocketPeer"
import { refusalFrame, refusals } from "./SwarmsHere.ts"
import { SwarmsAnywhere, type SwarmSocket } from "./SwarmsAnywhere.ts"
import { TorrentRules } from "./TorrentRules.ts"
import { Tracker } from "./Tracker.ts"
import * as limits from "@kinora/torrent/tracker/TrackerLimits"
import * as messages from "@kinora/torrent/tracker/TrackerMessages"

/** The tracker is disabled (contract: 403 on its web socket). */
class TrackerDisabled extends Problem<TrackerDisabled>()("TrackerDisabled", {
  status: 403,
  detail: "This instance has no tracker"
}) {}

/** The path is only for web sockets (RFC 9110, 15.5.22). */
class WebSocketNeeded extends Problem<WebSocketNeeded>()("WebSocketNeeded", {
  status: 426,
  detail: "This is a web socket",
  headers: () => ({ upgrade: "websocket", connection: "upgrade" })
}) {}

/** The state of one connection. */
interface Session {
  readonly address: string
  readonly place: Place
  readonly peer: SocketPeer
  readonly inSwarms: SwarmSocket
  readonly writer: Writer
  readonly swarms: Set<string>
  /** Messages it may still send at once, and when that was computed. */
  left: number
  at: number
}

const decoder = new TextDecoder()

/**
 * The tracker for browsers: passes WebRTC offers and answers between the peers of a swarm. Every message is parsed and
 * bounded here before the library gets it. A client that floods, or does not read, is disconnected.
 */
export class TrackerSocket extends Context.Service<
  TrackerSocket,
  {
    /**
     * Upgrades the request to a web socket and serves it until it closes. Refused if the client has too many sockets, or
     * the instance has no tracker.
     */
    readonly serve: (
      request: HttpServerRequest,
      address: string
    ) => Effect.Effect<void, TrackerDisabled | WebSocketNeeded | RateLimited>
  }
>()("@kinora/node/tracker/TrackerSocket") {
  static readonly layer = Layer.effect(
    TrackerSocket,
    Effect.gen(function* () {
      const { enabled } = (yield* KinoraConfig).tracker
      const clients = yield* SocketClients
      const store = yield* RateLimitStore
      const rules = yield* TorrentRules
      const swarms = yield* SwarmsAnywhere
      const tracker = yield* Tracker

      const fail = (session: Session, reason: string, infoHash?: string) =>
        session.peer.send(refusalFrame(reason, infoHash))

      /** Whether the client is within its message limit. */
      const isWithinLimits = Effect.fnUntraced(function* (session: Session) {
        const now = yield* Clock.currentTimeMillis
        const earned = (Math.max(0, now - session.at) * limits.messagesPerSecond) / 1000
        session.left = Math.min(limits.messageBurst, session.left + earned) - 1
        session.at = now
        if (session.left < 0) return false
        const { used } = yield* store.hit(`tracker socket ${session.place.client}`, limits.messageLimit, now)
        return used <= limits.messageLimit.max
      })

      const announce = Effect.fnUntraced(function* (session: Session, message: messages.SocketAnnounce) {
        const infoHash = messages.hashOf(message.info_hash)
        const peerId = messages.hashOf(message.peer_id)
        if (!clients.claim(session.place, peerId)) return fail(session, refusals.taken, infoHash)
        // An answer goes to the peer that made the offer. It does not count as an announce.
        const isAnswer = messages.isAnswer(message)
        const isMember = session.swarms.has(infoHash)
        if (!isMember && (isAnswer || session.swarms.size >= limits.swarmsPerSocket)) {
          return fail(session, isAnswer ? "announce first" : "too many torrents", infoHash)
        }
        const refused = isAnswer
          ? (yield* rules.admits(infoHash))
            ? undefined
            : refusals.unknown
          : yield* tracker.refusal(infoHash, session.address)
        if (refused !== undefined) return fail(session, refused, infoHash)
        if (message.event === "stopped") session.swarms.delete(infoHash)
        else session.swarms.add(infoHash)
        yield* session.inSwarms.receive({ infoHash, peerId, isAnswer, text: messages.cleanAnnounce(message) })
      })

      const scrape = Effect.fnUntraced(function* (session: Session, asked: string | ReadonlyArray<string>) {
        const infoHashes = (typeof asked === "string" ? [asked] : asked).map(messages.hashOf)
        const found = yield* swarms.figures(yield* rules.allowed(infoHashes))
        const files = found.map(([infoHash, { complete, incomplete }]) => {
          return [messages.bytesOf(infoHash), { complete, incomplete, downloaded: complete }] as const
        })
        session.peer.send(JSON.stringify({ action: "scrape", files: Object.fromEntries(files), flags: scrapeFlags }))
      })

      const handle = Effect.fnUntraced(
        function* (session: Session, frame: string) {
          const message = messages.readMessage(frame)
          if (Option.isNone(message)) return fail(session, "no message of a tracker client")
          const read = message.value
          yield* read.action === "announce" ? announce(session, read) : scrape(session, read.info_hash)
        },
        (effect, session) =>
          Effect.catchTag(effect, "DatabaseUnavailable", () =>
            Effect.sync(() => fail(session, "the tracker cannot answer now"))
          )
      )

      const listen = Effect.fnUntraced(function* (
        session: Session,
        pull: Effect.Effect<ReadonlyArray<string | Uint8Array>, SocketError>
      ) {
        while (true) {
          const frames = yield* Effect.timeoutOption(pull, Duration.millis(limits.silenceMillis))
          if (Option.isNone(frames)) return yield* session.writer.write(new CloseEvent(1000, "Silent for too long"))
          for (const frame of frames.value) {
            if (!(yield* isWithinLimits(session))) {
              return yield* session.writer.write(new CloseEvent(1008, "Too many messages"))
            }
            yield* handle(session, typeof frame === "string" ? frame : decoder.decode(frame))
          }
        }
      })

      const serveSocket = Effect.fnUntraced(function* (
        request: HttpServerRequest,
        address: string,
        peer: SocketPeer,
        place: Place,
        port: number
      ): Effect.fn.Return<void, SocketError, Scope.Scope> {
        const connection = (request.source as unknown as IncomingMessage).socket
        const socket = yield* Effect.orDie(request.upgrade)
        const { pull } = yield* socket.reader
        const writer = yield* socket.writer
        const inSwarms = yield* Effect.acquireRelease(swarms.connect(peer, place, address, port), ({ leave }) =>
          Effect.sync(leave)
        )
        const at = yield* Clock.currentTimeMillis
        const session: Session = {
          address,
          place,
          peer,
          inSwarms,
          writer,
          swarms: new Set(),
          left: limits.messageBurst,
          at
        }
        yield* Effect.raceFirst(
          listen(session, pull),
          peer.write(writer, () => connection.writableLength)
        )
      })

      return TrackerSocket.of({
        serve: Effect.fn("TrackerSocket.serve")(function* (request, address) {
          if (!enabled) return yield* new TrackerDisabled()
          if (request.headers["upgrade"]?.toLowerCase() !== "websocket") return yield* new WebSocketNeeded()
          const port = (request.source as unknown as IncomingMessage).socket.remotePort ?? 0
          const peer = yield* makeSocketPeer(address, port)
          const place = clients.enter(address, peer.leave)
          if (place === undefined) return yield* new RateLimited({ retryAfterSeconds: 60 })
          yield* serveSocket(request, address, peer, place, port).pipe(
            Effect.scoped,
            // The client disconnected, so there is nobody to answer.
            Effect.ignore,
            Effect.ensuring(
              Effect.sync(() => {
                peer.leave()
                clients.leave(place)
              })
            )
          )
        })
      })
    })
  )
}
