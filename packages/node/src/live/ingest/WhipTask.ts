import { listenWebRtc } from "@kinora/ingest/webrtc/WebRtcServer"
import { Duration, Effect } from "effect"
import { networkInterfaces } from "node:os"
import { LiveSettings } from "../settings/LiveSettings.ts"
import { whileEnabled } from "./WhileEnabled.ts"
import { WhipDoor } from "./WhipDoor.ts"

/** A port that is taken may be free later. */
const tryAgainAfter = Duration.seconds(30)

const unspecified = new Set(["0.0.0.0", "::"])

/** The addresses of this host at which others reach it; of IPv6 where it is listened for. */
const hostAddresses = (bound: string): ReadonlyArray<string> => {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const reachable = all.filter(
    ({ address, family, internal }) =>
      !internal && (family === "IPv4" || (bound === "::" && !address.toLowerCase().startsWith("fe80")))
  )
  return reachable.length === 0 ? ["127.0.0.1"] : reachable.map(({ address }) => address)
}

/**
 * Listens for publishers by WebRTC as long as the configuration says so, forever. A port that cannot be listened on is tried
 * again: the rest of the node does not depend on it.
 */
export const whipTask = Effect.gen(function* () {
  const settings = yield* LiveSettings
  const door = yield* WhipDoor
  const listen = Effect.gen(function* () {
    const { host, port } = settings.whip
    const addresses = (bound: string): ReadonlyArray<string> => {
      const { addresses: configured } = settings.whip
      if (configured.length > 0) return configured
      return unspecified.has(bound) ? hostAddresses(bound) : [bound]
    }
    const server = yield* listenWebRtc({ host, port, addresses })
    yield* door.open(server)
    yield* Effect.logInfo(`Lives are taken by WebRTC on ${host}:${server.port} (UDP)`)
    return yield* Effect.never
  }).pipe(
    Effect.scoped,
    Effect.catch((error) => Effect.andThen(Effect.logError(error.message), Effect.sleep(tryAgainAfter)))
  )
  return yield* whileEnabled(() => settings.whip, Effect.forever(listen))
})
