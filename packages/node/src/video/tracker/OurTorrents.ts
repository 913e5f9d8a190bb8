import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { TorrentOwners } from "@kinora/storage/video/access/TorrentOwners"
import { Clock, Context, Effect, Layer } from "effect"
import { isRecent } from "../../platform/memory/Recent.ts"
import { isForEverybody } from "../list/VideoVisibility.ts"

/** `open`: the video is public; `closed`: it is one of ours that is not public. */
export type Standing = "open" | "closed" | "unknown"

/** Milliseconds. Every node stops announcing a video within this time after it becomes private. */
const trustedFor = 2_000
const maxRemembered = 20_000

/** Which torrents belong to our videos, remembered for two seconds. */
export class OurTorrents extends Context.Service<
  OurTorrents,
  {
    /** By info hash (40 hexadecimal digits), one for each requested hash. */
    readonly standings: (
      infoHashes: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, Standing>, DatabaseUnavailable>
  }
>()("@kinora/node/tracker/OurTorrents") {
  static readonly layer = Layer.effect(
    OurTorrents,
    Effect.gen(function* () {
      const owners = yield* TorrentOwners
      const remembered = new Map<string, { readonly standing: Standing; readonly until: number }>()

      const keep = (infoHash: string, standing: Standing, until: number) => {
        remembered.delete(infoHash)
        if (remembered.size >= maxRemembered) remembered.delete(remembered.keys().next().value!)
        remembered.set(infoHash, { standing, until })
      }

      return OurTorrents.of({
        standings: Effect.fnUntraced(function* (infoHashes) {
          const now = yield* Clock.currentTimeMillis
          const standings = new Map<string, Standing>()
          for (const infoHash of infoHashes) {
            const known = remembered.get(infoHash)
            if (known !== undefined && isRecent(known.until, now, trustedFor)) standings.set(infoHash, known.standing)
          }
          const missing = infoHashes.filter((infoHash) => !standings.has(infoHash))
          if (missing.length === 0) return standings
          for (const infoHash of missing) standings.set(infoHash, "unknown")
          for (const video of yield* owners.byInfoHash(missing)) {
            const isOpen = !video.remote && isForEverybody(video)
            // The same bytes may be public in one video and private in another. The public one has already revealed
            // them.
            if (isOpen || standings.get(video.infoHash) === "unknown") {
              standings.set(video.infoHash, isOpen ? "open" : video.remote ? "unknown" : "closed")
            }
          }
          for (const infoHash of missing) keep(infoHash, standings.get(infoHash)!, now + trustedFor)
          return standings
        })
      })
    })
  ).pipe(Layer.provide(TorrentOwners.layer))
}
