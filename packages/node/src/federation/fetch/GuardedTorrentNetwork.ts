import {
  type FetchError,
  isTransient,
  type TimedOut,
  type Unreachable,
  type Refused,
  type Busy
} from "@kinora/federation/fetch/FetchError"
import { FetchGuard } from "@kinora/federation/fetch/FetchGuard"
import { GuardedFetch } from "@kinora/federation/fetch/GuardedFetch"
import { connectToAny } from "@kinora/federation/fetch/Tunnel"
import { NetworkFailed, NetworkRefused, TorrentNetwork } from "@kinora/torrent/network/TorrentNetwork"
import { Effect, Layer, Scope } from "effect"

const ofConnection = (error: Refused | Busy | Unreachable | TimedOut) =>
  error._tag === "Refused"
    ? new NetworkRefused({ detail: error.detail })
    : new NetworkFailed({ transient: true, detail: error._tag })

const ofFetch = (error: FetchError) =>
  error.reason._tag === "Refused"
    ? new NetworkRefused({ detail: error.reason.detail })
    : new NetworkFailed({ transient: isTransient(error), detail: error.message })

/**
 * The network of torrents by the rules of the guard. Ports are exempt: peers choose their own. Give it the `FetchGuard`
 * that `GuardedFetch` stands on.
 */
export const guardedTorrentNetwork: Layer.Layer<TorrentNetwork, never, FetchGuard | GuardedFetch> = Layer.effect(
  TorrentNetwork,
  Effect.gen(function* () {
    const guard = yield* FetchGuard
    const fetch = yield* GuardedFetch
    const { addresses, connectMillis } = guard.options
    return TorrentNetwork.of({
      reachesInternet: addresses === "public" || addresses === "public-and-private",
      addresses: (hostname) => Effect.mapError(guard.addresses(hostname), ofConnection),
      reserve: (endpoint) =>
        Effect.gen(function* () {
          const ticket = yield* guard.enter(endpoint)
          const found = yield* guard.addresses(endpoint.hostname)
          return { addresses: found, answered: ticket.answered, failed: ticket.failed }
        }).pipe(Effect.mapError(ofConnection)),
      connect: Effect.fnUntraced(function* ({ hostname, port }) {
        const scope = yield* Effect.scope
        return yield* Effect.gen(function* () {
          const ticket = yield* guard.enter({ hostname, port })
          const found = yield* guard.addresses(hostname)
          return yield* connectToAny(found, port, connectMillis).pipe(
            Effect.tap(() => ticket.answered),
            Effect.tapError(() => ticket.failed),
            // The connection outlives the slot of the host, which is held only while connecting.
            (connecting) => Effect.provideService(connecting, Scope.Scope, scope)
          )
        }).pipe(Effect.scoped, Effect.mapError(ofConnection))
      }),
      bytes: (url, request) =>
        fetch.bytes(url, { ...request, headers: { accept: "*/*" } }).pipe(
          Effect.map(({ value }) => value),
          Effect.mapError(ofFetch)
        )
    })
  })
)
