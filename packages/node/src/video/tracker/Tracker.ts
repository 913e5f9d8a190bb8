import { clientKey } from "@kinora/domain/network/ClientKey"
import { RouteNotFound } from "@kinora/domain/errors/RequestErrors"
import { RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { failureAnswer, scrapeAnswer } from "@kinora/torrent/tracker/TrackerAnswer"
import { Clock, Context, Effect, Layer } from "effect"
import { isIP } from "node:net"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RateLimitStore } from "../../platform/http/RateLimitStore.ts"
import { refusals } from "./SwarmsHere.ts"
import { SwarmsAnywhere } from "./SwarmsAnywhere.ts"
import { TorrentRules } from "./TorrentRules.ts"
import { announceLimit, requestLimit } from "@kinora/torrent/tracker/TrackerLimits"
import { readAnnounce, readScrape } from "@kinora/torrent/tracker/TrackerQuery"

type Refused = RouteNotFound | RateLimited | DatabaseUnavailable

/**
 * The tracker over HTTP (BEP 3, 7, 23, 48). `url` is the request's URL with its query; `address` is the client's, as
 * reported by trusted proxies.
 */
export class Tracker extends Context.Service<
  Tracker,
  {
    readonly announce: (url: string, address: string) => Effect.Effect<Uint8Array, Refused>
    readonly scrape: (url: string, address: string) => Effect.Effect<Uint8Array, Refused>
    /** Why the client may not announce to the swarm. Undefined if it may. Counts the announce. */
    readonly refusal: (
      infoHash: string,
      address: string
    ) => Effect.Effect<(typeof refusals)[keyof typeof refusals] | undefined, DatabaseUnavailable>
  }
>()("@kinora/node/tracker/Tracker") {
  static readonly layer = Layer.effect(
    Tracker,
    Effect.gen(function* () {
      const { tracker } = yield* KinoraConfig
      const limits = yield* RateLimitStore
      const rules = yield* TorrentRules
      const swarms = yield* SwarmsAnywhere

      const count = Effect.fnUntraced(function* (address: string) {
        if (!tracker.enabled) return yield* new RouteNotFound()
        const now = yield* Clock.currentTimeMillis
        const { resetAt, used } = yield* limits.hit(`tracker ${clientKey(address)}`, requestLimit, now)
        if (used > requestLimit.max) return yield* RateLimited.until(resetAt, now)
      })

      const isTooOften = Effect.fnUntraced(function* (infoHash: string, address: string) {
        if (!tracker.reject_too_many_announces) return false
        const key = `tracker ${clientKey(address)} ${infoHash}`
        return (yield* limits.hit(key, announceLimit, yield* Clock.currentTimeMillis)).used > announceLimit.max
      })

      const refusal = Effect.fnUntraced(function* (infoHash: string, address: string) {
        if (!(yield* rules.admits(infoHash))) return refusals.unknown
        return (yield* isTooOften(infoHash, address)) ? refusals.often : undefined
      })

      const announce = Effect.fnUntraced(function* (url: string, address: string) {
        yield* count(address)
        const asked = readAnnounce(url)
        if (typeof asked === "string") return failureAnswer(asked)
        if (isIP(address) === 0) return failureAnswer("no address for other peers")
        const refused = yield* refusal(asked.infoHash, address)
        if (refused !== undefined) return failureAnswer(refused)
        const given = yield* swarms.announce(asked, address)
        return typeof given === "string" ? failureAnswer(given) : given
      })

      const scrape = Effect.fnUntraced(function* (url: string, address: string) {
        yield* count(address)
        const asked = readScrape(url)
        if (typeof asked === "string") return failureAnswer(asked)
        const allowed = yield* rules.allowed(asked)
        return scrapeAnswer(yield* swarms.figures(allowed))
      })

      return Tracker.of({ announce, scrape, refusal })
    })
  )
}
