import { listenWebRtc } from "@kinora/ingest/webrtc/WebRtcServer"
import { Effect } from "effect"
import { networkInterfaces } from "node:os"
import { LiveSettings } from "../settings/LiveSettings.ts"
import { keepOpen } from "./Door.ts"
import { WhipDoor } from "./WhipDoor.ts"

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

/** Listens for publishers by WebRTC. */
export const whipTask = Effect.gen(function* () {
  const settings = yield* LiveSettings
  const door = yield* WhipDoor
  const addresses = (bound: string): ReadonlyArray<string> => {
    const { addresses: configured } = settings.whip
    if (configured.length > 0) return configured
    return unspecified.has(bound) ? hostAddresses(bound) : [bound]
  }
  const listen = Effect.suspend(() => {
    const { host, port } = settings.whip
    return Effect.tap(listenWebRtc({ host, port, addresses }), door.open)
  })
  return yield* keepOpen("WebRTC", () => settings.whip, listen)
})
