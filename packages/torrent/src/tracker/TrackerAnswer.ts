import { type Bencodable, bencode } from "../metainfo/BencodeWriter.ts"
import type { Figures } from "./Swarms.ts"
import { announceIntervalMillis } from "./TrackerLimits.ts"

/** Seconds until a client may scrape again. */
export const scrapeFlags = { min_request_interval: announceIntervalMillis / 1000 } as const

/** A refusal of an announce or a scrape over HTTP (BEP 3). */
export const failureAnswer = (reason: string): Uint8Array => bencode({ "failure reason": reason })

/** The figures of torrents over HTTP (BEP 48), by info hash (40 hexadecimal digits). */
export const scrapeAnswer = (torrents: Iterable<readonly [infoHash: string, figures: Figures]>): Uint8Array => {
  // Keys are arbitrary bytes, which the encoder cannot write.
  const files = [...torrents]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([infoHash, { complete, incomplete }]) => {
      const figures: Bencodable = { complete, downloaded: complete, incomplete }
      return [bencode(Buffer.from(infoHash, "hex")), bencode(figures)]
    })
  return Buffer.concat([
    Buffer.from("d5:filesd"),
    ...files,
    Buffer.from("e5:flags"),
    bencode(scrapeFlags),
    Buffer.from("e")
  ])
}
