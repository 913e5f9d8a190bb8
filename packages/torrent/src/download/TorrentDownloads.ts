import { Context, Effect, Layer } from "effect"
import type { TorrentError, TorrentUnusable } from "../metainfo/TorrentError.ts"
import { TorrentNetwork } from "../network/TorrentNetwork.ts"
import { type TorrentOptions, torrentOptions } from "../network/TorrentOptions.ts"
import type { TorrentFacts, TorrentRequest } from "./TorrentRequest.ts"

/** Downloads torrents without uploading anything. See docs/decisions/torrents.md. */
export class TorrentDownloads extends Context.Service<
  TorrentDownloads,
  {
    /** Reads a torrent file. Makes no requests. */
    read(bytes: Uint8Array): Effect.Effect<TorrentFacts, TorrentUnusable>
    /**
     * Downloads the one usable video file of a torrent to `file`, and returns its name and size in the torrent. On
     * failure or interruption all connections are closed at once and no file remains.
     */
    download(request: TorrentRequest): Effect.Effect<{ readonly name: string; readonly size: number }, TorrentError>
  }
>()("@kinora/torrent/download/TorrentDownloads") {
  static readonly layerOptions = (
    given: Partial<TorrentOptions>
  ): Layer.Layer<TorrentDownloads, never, TorrentNetwork> =>
    Layer.effect(
      TorrentDownloads,
      Effect.gen(function* () {
        const network = yield* TorrentNetwork
        const services = { network, options: torrentOptions(given, network.reachesInternet) }
        return TorrentDownloads.of({
          read: Effect.fn("TorrentDownloads.read")(function* (bytes) {
            const { readTorrent, shownName } = yield* Effect.promise(() => import("../metainfo/Metainfo.ts"))
            const { info } = yield* readTorrent(bytes)
            return {
              name: shownName(info.name),
              infoHash: info.infoHash,
              files: info.files
                .filter((file) => !file.padding)
                .map(({ path, size }) => ({ name: shownName(path.at(-1) ?? ""), size }))
            }
          }),
          download: Effect.fn("TorrentDownloads.download")(function* (request) {
            // The protocol libraries are loaded with the first download.
            const { leech } = yield* Effect.promise(() => import("./Leech.ts"))
            return yield* leech(services, request)
          })
        })
      })
    )

  static readonly layerNoDeps = TorrentDownloads.layerOptions({})
}
