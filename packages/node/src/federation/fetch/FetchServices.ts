import { FetchGuard } from "@kinora/federation/fetch/FetchGuard"
import type { FetchOptionsInput } from "@kinora/federation/fetch/FetchOptions"
import { GuardedFetch } from "@kinora/federation/fetch/GuardedFetch"
import { GuardedPost } from "@kinora/federation/fetch/GuardedPost"
import { GuardedProxy } from "@kinora/federation/fetch/GuardedProxy"
import { TorrentDownloads } from "@kinora/torrent/download/TorrentDownloads"
import { version } from "@kinora/domain/Version"
import { Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { guardedTorrentNetwork } from "./GuardedTorrentNetwork.ts"

/**
 * The one way of the node into the network of others, for itself and for its tools, all by the rules of one guard (see
 * docs/decisions/guarded-fetch.md): addresses of private networks only where `federation.prevent_ssrf` is false, and this machine
 * and nothing else where `federation.only_loopback` is true. Tests give options of their own.
 */
export const fetchServices = (tests: Partial<FetchOptionsInput> = {}) =>
  Layer.unwrap(
    Effect.map(KinoraConfig, ({ derived, federation }) => {
      const guard = FetchGuard.layer({
        userAgent: `Kinora/${version} (+${derived.origin})`,
        addresses: federation.only_loopback ? "loopback" : federation.prevent_ssrf ? "public" : "public-and-private",
        ...tests
      })
      return TorrentDownloads.layerNoDeps.pipe(
        Layer.provide(guardedTorrentNetwork),
        Layer.provideMerge(Layer.mergeAll(GuardedFetch.layerNoDeps, GuardedPost.layerNoDeps, GuardedProxy.layerNoDeps)),
        Layer.provideMerge(guard)
      )
    })
  )
