import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Clock, Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RateLimitStore } from "../../platform/http/RateLimitStore.ts"
import { OurTorrents, type Standing } from "./OurTorrents.ts"

/** At most this many log lines per minute about foreign torrents. */
const logged = { max: 30, windowMillis: 60_000 }

/**
 * Which torrents the tracker serves: those of our public videos. With `tracker.private` off also unknown ones, but
 * never those of a restricted video of ours.
 */
export class TorrentRules extends Context.Service<
  TorrentRules,
  {
    /** Those of the info hashes (40 hexadecimal digits) that are served. */
    readonly allowed: (infoHashes: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, DatabaseUnavailable>
    /** Whether the torrent is served. One that is not is logged if the configuration asks for it. */
    readonly admits: (infoHash: string) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/node/tracker/TorrentRules") {
  static readonly layer = Layer.effect(
    TorrentRules,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const torrents = yield* OurTorrents
      const limits = yield* RateLimitStore
      const isServed = (standing: Standing): boolean =>
        standing === "open" || (standing === "unknown" && !config.tracker.private)

      const allowed = Effect.fnUntraced(function* (infoHashes: ReadonlyArray<string>) {
        const standings = yield* torrents.standings(infoHashes)
        return new Set([...standings].flatMap(([infoHash, standing]) => (isServed(standing) ? [infoHash] : [])))
      })

      const logUnknown = Effect.fnUntraced(function* (infoHash: string) {
        if (!config.log.log_tracker_unknown_infohash) return
        const { used } = yield* limits.hit("tracker unknown torrents", logged, yield* Clock.currentTimeMillis)
        if (used > logged.max) return
        yield* Effect.logInfo(`Refused an announce: ${infoHash} is not the torrent of a public video of this instance`)
      })

      return TorrentRules.of({
        allowed,
        admits: Effect.fnUntraced(function* (infoHash) {
          const served = (yield* allowed([infoHash])).has(infoHash)
          if (!served) yield* logUnknown(infoHash)
          return served
        })
      })
    })
  ).pipe(Layer.provide(OurTorrents.layer))
}
