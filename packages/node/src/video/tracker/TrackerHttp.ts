import { Problem } from "@kinora/domain/errors/ProblemError"
import { Duration, Effect, Layer, Option } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { answer } from "../../platform/http/Answer.ts"
import { every } from "../../platform/supervision/Every.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { SocketClients } from "@kinora/torrent/tracker/SocketClients"
import { Swarms } from "@kinora/torrent/tracker/Swarms"
import { TorrentRules } from "./TorrentRules.ts"
import { Tracker } from "./Tracker.ts"
import { TrackerSocket } from "./TrackerSocket.ts"

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

const addressOf = (request: HttpServerRequest.HttpServerRequest): string =>
  Option.getOrElse(request.remoteAddress, () => "")

const bencoded = (bytes: Uint8Array) =>
  HttpServerResponse.uint8Array(bytes, { contentType: "text/plain", headers: { "cache-control": "no-store" } })

const routes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const config = yield* KinoraConfig
    const tracker = yield* Tracker
    const sockets = yield* TrackerSocket

    const connect = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      if (!config.tracker.enabled) return yield* new TrackerDisabled()
      if (request.headers["upgrade"]?.toLowerCase() !== "websocket") return yield* new WebSocketNeeded()
      yield* sockets.serve(request, addressOf(request))
      return HttpServerResponse.empty()
    })

    yield* router.add("GET", "/tracker/announce", (request) =>
      answer(Effect.map(tracker.announce(request.url, addressOf(request)), bencoded))
    )
    yield* router.add("GET", "/tracker/scrape", (request) =>
      answer(Effect.map(tracker.scrape(request.url, addressOf(request)), bencoded))
    )
    yield* router.add("GET", "/tracker/socket", (request) => answer(connect(request)))
  })
)

const upkeep = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const swarms = yield* Swarms
    const rules = yield* TorrentRules
    yield* supervisor.run("tracker", every(Duration.seconds(30), swarms.sweep(rules.allowed)))
  })
)

/** The BitTorrent tracker. Needs the database, `RateLimitStore`, `Supervisor` and `KinoraConfig`. */
export const TrackerRoutes = Layer.mergeAll(routes, upkeep).pipe(
  Layer.provide(TrackerSocket.layer),
  Layer.provide(Layer.mergeAll(Tracker.layer, SocketClients.layer)),
  Layer.provideMerge(Swarms.layer),
  Layer.provideMerge(TorrentRules.layer)
)
