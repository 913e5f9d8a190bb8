import { Effect, Result, Schema } from "effect"
import { isIP } from "node:net"
import type { Endpoint } from "../network/Endpoint.ts"
import type { NetworkError, TorrentNetwork } from "../network/TorrentNetwork.ts"
import { type Announced, type AnnounceRequest, maxPeers, namedPort, wantedPeers } from "./Announce.ts"
import { decodeBencode } from "../metainfo/Bencode.ts"
import { readCompact } from "../network/Endpoint.ts"
import { TrackerFailed } from "./TrackerFailed.ts"

const maxAnswer = 128 * 1024

/** Trackers send any content type, or none. */
const types = ["", "text/plain", "text/html", "application/octet-stream", "application/x-bittorrent"]

const Answer = Schema.Struct({
  interval: Schema.optionalKey(Schema.Int),
  peers: Schema.optionalKey(
    Schema.Union([Schema.Uint8Array, Schema.Array(Schema.Struct({ ip: Schema.Uint8Array, port: Schema.Int }))])
  ),
  peers6: Schema.optionalKey(Schema.Uint8Array)
})
const decodeAnswer = Schema.decodeUnknownResult(Answer)

const escaped = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")

const text = new TextDecoder()

/** Announces over http or https (BEP 3, 7, 23). */
export const announceOverHttp = Effect.fnUntraced(function* (
  network: TorrentNetwork["Service"],
  url: string,
  request: AnnounceRequest
): Effect.fn.Return<Announced, TrackerFailed | NetworkError> {
  const query = [
    `info_hash=${escaped(Buffer.from(request.infoHash, "hex"))}`,
    `peer_id=${escaped(request.peerId)}`,
    `port=${namedPort}`,
    "uploaded=0",
    `downloaded=${request.downloaded}`,
    `left=${request.left}`,
    "compact=1",
    `numwant=${wantedPeers}`,
    ...(request.first ? ["event=started"] : [])
  ].join("&")
  const [address = ""] = url.split("#", 1)
  const value = yield* network.bytes(`${address}${address.includes("?") ? "&" : "?"}${query}`, {
    types,
    maxBytes: maxAnswer
  })
  const answer = decodeAnswer(decodeBencode(value, { maxDepth: 4, maxValues: 5_000 }))
  // A refusal (`failure reason`) contains no peers either.
  if (Result.isFailure(answer) || (answer.success.peers ?? answer.success.peers6) === undefined) {
    return yield* new TrackerFailed({ why: "answer" })
  }
  const { interval = 0, peers = new Uint8Array(), peers6 = new Uint8Array() } = answer.success
  const four =
    peers instanceof Uint8Array
      ? readCompact(peers, 4)
      : peers.map((peer): Endpoint => ({ hostname: text.decode(peer.ip.subarray(0, 45)), port: peer.port }))
  const all = [...four, ...readCompact(peers6, 16)].filter((it) => isIP(it.hostname) !== 0)
  return { peers: all.slice(0, maxPeers), interval }
})
