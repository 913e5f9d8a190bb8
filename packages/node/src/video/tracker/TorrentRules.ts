import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Clock, Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RateLimitStore } from "../../platform/http/RateLimitStore.ts"
import { OurTorrents, type Standing } from "./OurTorrents.ts"

/** Lines of the log about torrents that are not ours, in a minute. */
const logged = { max: 30, windowMillis: 60_000 }

/**
 * Which torrents the tracker serves: those of our videos that are for everybody. With `tracker.private` switched off also
 * those nobody here knows; never those of a video of ours that is not for everybody.
 */
export class TorrentRules extends Context.Service<
  TorrentRules,
  {
    /** Of the hashes (40 hexadecimal digits), those that are served. */
    readonly allowed: (infoHashes: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, DatabaseUnavailable>
    /** Whether the torrent is served; one that is not is logged where the configuration asks for it. */
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
        yield* Effect.logInfo(`Refused an announce: ${infoHash} is no torrent of this instance's open videos`)
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
