import { Context, Effect, Layer, type Scope } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { TorrentDownloads } from "../../src/download/TorrentDownloads.ts"
import type { TorrentOptions } from "../../src/network/TorrentOptions.ts"
import { loopbackNetwork } from "./LoopbackNetwork.ts"

/** A leecher that reaches loopback alone. */
export const downloading = (
  options: Partial<TorrentOptions> = {}
): Effect.Effect<TorrentDownloads["Service"], never, Scope.Scope> =>
  Effect.map(
    Layer.build(
      TorrentDownloads.layerOptions({ retryMillis: 100, dht: [], ...options }).pipe(Layer.provide(loopbackNetwork))
    ),
    (context) => Context.get(context, TorrentDownloads)
  )

/** A folder of the test's own. */
export const folder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "kinora-torrents-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)
