import { Context, Effect, Layer, type Scope } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FetchGuard } from "../../../src/fetch/FetchGuard.ts"
import type { FetchOptionsInput } from "../../../src/fetch/FetchOptions.ts"
import { GuardedFetch } from "../../../src/fetch/GuardedFetch.ts"
import { NameResolver } from "../../../src/fetch/NameResolver.ts"
import { TorrentDownloads } from "../../../src/torrents/TorrentDownloads.ts"
import type { TorrentOptions } from "../../../src/torrents/TorrentLimits.ts"

/** A leecher that reaches loopback alone, unless the guard is told otherwise. */
export const downloading = (
  options: Partial<TorrentOptions> = {},
  guard: Partial<FetchOptionsInput> = {}
): Effect.Effect<TorrentDownloads["Service"], never, Scope.Scope> => {
  const rules = FetchGuard.layerNoDeps({ userAgent: "Test/1.0", addresses: "loopback", ...guard }).pipe(
    Layer.provide(NameResolver.layerServers(["127.0.0.1:9"]))
  )
  const service = TorrentDownloads.layerOptions({ retryMillis: 100, dht: [], ...options }).pipe(
    Layer.provide(GuardedFetch.layerNoDeps),
    Layer.provide(rules)
  )
  return Effect.map(Layer.build(service), (context) => Context.get(context, TorrentDownloads))
}

/** A folder of the test's own. */
export const folder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "kinora-torrents-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)
