import { Effect } from "effect"
import decodeMagnet from "magnet-uri"
import type { TorrentSources } from "./Metainfo.ts"
import { TorrentUnusable } from "./TorrentError.ts"
import { torrentLimits } from "./TorrentLimits.ts"

export interface Magnet {
  /** 40 hex digits in lower case. */
  readonly infoHash: string
  readonly sources: TorrentSources
  /** URLs of the torrent file itself. */
  readonly exactSources: ReadonlyArray<string>
}

/** Supported fields. The library would create lists of any length from selections (`so`). */
const known = /^(xt|tr|ws|as|xs|x\.pe)(?:\.\d+)?$/
const maxPeers = 50

/** Info hashes in hexadecimal or base 32. The library would accept any characters. */
const hash = /^urn:(?:btih:(?:[0-9a-f]{40}|[a-z2-7]{32})|btmh:1220[0-9a-f]{64})$/i
const base32 = /[a-z2-7]{32}$/i

const topic = (value: string): string =>
  value.length === "urn:btih:".length + 32
    ? value.toLowerCase().replace(base32, (it) => it.toUpperCase())
    : value.toLowerCase()

/** Fields as the library reads them. Some clients number fields of one kind, such as `tr.1`. */
const fieldsOf = (address: string): ReadonlyArray<readonly [name: string, value: string]> =>
  [...new URLSearchParams(address.slice("magnet:?".length))].flatMap(([key, value]) => {
    const name = known.exec(key.toLowerCase())?.[1]
    if (name === undefined || (name === "xt" && !hash.test(value))) return []
    return [[name, name === "xt" ? topic(value) : value] as const]
  })

/** Parses a magnet link (BEP 9). */
export const readMagnet = Effect.fnUntraced(function* (text: string): Effect.fn.Return<Magnet, TorrentUnusable> {
  const fail = (detail: string) => new TorrentUnusable({ why: "syntax", detail })
  if (text.length > torrentLimits.magnet) return yield* fail("a long magnet address")
  const address = text.trim()
  if (!/^magnet:\?/i.test(address)) return yield* fail("not a magnet address")
  const fields = fieldsOf(address)
  const exactSources = fields.flatMap(([name, value]) => (name === "xs" && /^https?:/i.test(value) ? [value] : []))
  const lines = fields
    .filter(([name]) => name !== "xs")
    .map(
      ([name, value]) =>
        `${name}=${name === "x.pe" ? value.replaceAll(/[&=]/g, "") : name === "xt" ? value : encodeURIComponent(value)}`
    )
  const magnet = yield* Effect.try({
    try: () => decodeMagnet(`magnet:?${lines.join("&")}`),
    catch: () => fail("not a magnet address")
  })
  const { infoHash } = magnet
  if (infoHash === undefined) {
    return yield* magnet.infoHashV2 === undefined
      ? fail("no hash")
      : new TorrentUnusable({ why: "version", detail: "version 2 alone is not read" })
  }
  return {
    infoHash,
    sources: {
      trackers: magnet.announce.slice(0, torrentLimits.trackers),
      webSeeds: magnet.urlList.slice(0, torrentLimits.webSeeds),
      peers: magnet.peerAddresses.slice(0, maxPeers)
    },
    exactSources: exactSources.slice(0, 2)
  }
})
