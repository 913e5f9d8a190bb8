import { Result, Schema } from "effect"
import type Wire from "bittorrent-protocol"
import type { WireExtension } from "bittorrent-protocol"
import { createHash } from "node:crypto"
import { decodeBencode, scanBencode } from "../metainfo/Bencode.ts"
import { blockLength, PeerViolation } from "./PeerFrames.ts"
import { torrentLimits } from "../metainfo/TorrentLimits.ts"

const Handshake = Schema.Struct({
  metadata_size: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: torrentLimits.metadata }))
})
const decodeHandshake = Schema.decodeUnknownResult(Handshake)

const Header = Schema.Struct({ msg_type: Schema.Int, piece: Schema.Int })
const decodeHeader = Schema.decodeUnknownResult(Header)

/** Parts requested at a time. */
const pipeline = 8
const limits = { maxDepth: 2, maxValues: 20 }

export interface MetadataListener {
  /** Whether there is memory for this many bytes. */
  readonly reserve: (bytes: number) => boolean
  /** A part has arrived. */
  readonly progressed: () => void
  /** The info dictionary, verified against the info hash. */
  readonly received: (info: Uint8Array) => void
  /** The peer has none, or there is no memory for it now. */
  readonly none: () => void
}

/**
 * Requests the info dictionary from a peer (BEP 9), as an extension of the wire. Invalid messages of the peer are
 * thrown, and the wire ends. Nothing is sent to the peer.
 */
export const metadataExchange = (infoHash: string, listener: MetadataListener): WireExtension => {
  class MetadataExchange {
    readonly #wire: Wire
    #bytes = new Uint8Array(0)
    #missing = new Set<number>()
    #next = 0
    #parts = 0

    constructor(wire: Wire) {
      this.#wire = wire
    }

    /** The library reads the name of an extension from its prototype. */
    get name(): string {
      return "ut_metadata"
    }

    onExtendedHandshake(value: unknown): void {
      if (this.#parts > 0) return
      const handshake = decodeHandshake(value)
      if (Result.isFailure(handshake)) return listener.none()
      const size = handshake.success.metadata_size
      if (!listener.reserve(size)) return listener.none()
      this.#bytes = new Uint8Array(size)
      this.#parts = Math.ceil(size / blockLength)
      this.#missing = new Set(Array.from({ length: this.#parts }, (_, part) => part))
      for (let n = 0; n < pipeline; n++) this.#ask()
    }

    onMessage(message: Uint8Array): void {
      const end = scanBencode(message, limits)?.end ?? 0
      const header = decodeHeader(decodeBencode(message.subarray(0, end), limits))
      if (Result.isFailure(header)) throw new PeerViolation("no message of the metadata")
      const { msg_type: type, piece: part } = header.success
      if (type === 2) listener.none()
      // A part that was not requested, or a duplicate.
      if (type !== 1 || !this.#missing.has(part) || part >= this.#next) return
      const data = message.subarray(end)
      const start = part * blockLength
      if (data.length !== Math.min(blockLength, this.#bytes.length - start))
        throw new PeerViolation("a part of the wrong length")
      this.#bytes.set(data, start)
      this.#missing.delete(part)
      listener.progressed()
      if (this.#missing.size > 0) return this.#ask()
      if (createHash("sha1").update(this.#bytes).digest("hex") !== infoHash) throw new PeerViolation("other metadata")
      listener.received(this.#bytes)
    }

    #ask(): void {
      if (this.#next >= this.#parts) return
      this.#wire.extended("ut_metadata", Buffer.from(`d8:msg_typei0e5:piecei${this.#next++}ee`))
    }
  }
  return MetadataExchange
}
