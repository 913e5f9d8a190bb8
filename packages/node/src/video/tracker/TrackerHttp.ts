import { Duration, Effect, Layer, Option } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { answer } from "../../platform/http/Answer.ts"
import { every } from "../../platform/supervision/Every.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { SocketClients } from "@kinora/torrent/tracker/SocketClients"
import { Swarms } from "@kinora/torrent/tracker/Swarms"
import { SwarmsAnywhere } from "./SwarmsAnywhere.ts"
import { TorrentRules } from "./TorrentRules.ts"
import { Tracker } from "./Tracker.ts"
import { TrackerSocket } from "./TrackerSocket.ts"

const addressOf = (request: HttpServerRequest.HttpServerRequest): string =>
  Option.getOrElse(request.remoteAddress, () => "")

const bencoded = (bytes: Uint8Array) =>
  HttpServerResponse.uint8Array(bytes, { contentType: "text/plain", headers: { "cache-control": "no-store" } })

const routes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const tracker = yield* Tracker
    const sockets = yield* TrackerSocket

    yield* router.add("GET", "/tracker/announce", (request) =>
      answer(Effect.map(tracker.announce(request.url, addressOf(request)), bencoded))
    )
    yield* router.add("GET", "/tracker/scrape", (request) =>
      answer(Effect.map(tracker.scrape(request.url, addressOf(request)), bencoded))
    )
    yield* router.add("GET", "/tracker/socket", (request) =>
      answer(Effect.as(sockets.serve(request, addressOf(request)), HttpServerResponse.empty()))
    )
  })
)

const upkeep = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const swarms = yield* SwarmsAnywhere
    yield* supervisor.run("tracker", every(Duration.seconds(30), swarms.sweep))
  })
)

/** The BitTorrent tracker. Needs the database, `RateLimitStore`, `Supervisor` and `KinoraConfig`. */
export const TrackerRoutes = Layer.mergeAll(routes, upkeep).pipe(
  Layer.provide(TrackerSocket.layer),
  Layer.provide(Tracker.layer),
  Layer.provide(SwarmsAnywhere.layer),
  Layer.provide(SocketClients.layer),
  Layer.provideMerge(Swarms.layer),
  Layer.provideMerge(TorrentRules.layer)
)
