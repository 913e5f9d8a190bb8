import { createDecipheriv, createHmac, timingSafeEqual } from "node:crypto"
import { numberBytes } from "../bytes/ByteReader.ts"
import { headerLengthOf } from "../rtp/RtpPacket.ts"
import { counterOf, type MasterKey, type SessionKeys, sessionKeys } from "./SessionKeys.ts"

const tagLength = 10
/** A session has picture and sound, each with repeated packets, and sources that were replaced. */
const maxSources = 16
/** Numbers before the highest one that are remembered, so that no packet is taken twice. */
const replayWindow = 1024

interface Source {
  /** The highest index: 16 bits of the packet behind how often they have wrapped around. */
  highest: number
  readonly seen: Set<number>
}

/** Opens packets of SRTP (RFC 3711): AES-128 in counter mode, HMAC-SHA1 with 80 bits. */
export class SrtpReceiver {
  readonly #keys: SessionKeys
  readonly #sources = new Map<number, Source>()

  constructor(master: MasterKey) {
    this.#keys = sessionKeys(master, "srtp")
  }

  /** The packet in the clear; undefined: it is not from the peer, or came before. */
  open(packet: Uint8Array): Buffer | undefined {
    const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength)
    const end = bytes.length - tagLength
    const headerLength = headerLengthOf(bytes)
    if (headerLength === undefined || headerLength > end) return undefined
    const ssrc = bytes.readUInt32BE(8)
    const source = this.#sources.get(ssrc)
    const index = indexOf(bytes.readUInt16BE(2), source?.highest)
    if (index < 0 || (source !== undefined && isOld(source, index))) return undefined
    const covered = bytes.subarray(0, end)
    const mac = createHmac("sha1", this.#keys.authentication)
      .update(covered)
      .update(numberBytes(Math.floor(index / 0x1_00_00), 4))
      .digest()
    if (!timingSafeEqual(mac.subarray(0, tagLength), bytes.subarray(end))) return undefined
    if (source === undefined && this.#sources.size >= maxSources) return undefined
    this.#remember(ssrc, source, index)
    const counter = counterOf(this.#keys.salt, ssrc, index)
    const decipher = createDecipheriv("aes-128-ctr", this.#keys.cipher, counter)
    return Buffer.concat([covered.subarray(0, headerLength), decipher.update(covered.subarray(headerLength))])
  }

  #remember(ssrc: number, known: Source | undefined, index: number): void {
    const source = known ?? { highest: index, seen: new Set<number>() }
    if (known === undefined) this.#sources.set(ssrc, source)
    source.highest = Math.max(source.highest, index)
    source.seen.add(index)
    if (source.seen.size <= 2 * replayWindow) return
    for (const one of source.seen) if (one <= source.highest - replayWindow) source.seen.delete(one)
  }
}

const isOld = ({ highest, seen }: Source, index: number): boolean => index <= highest - replayWindow || seen.has(index)

/** The index that is nearest to the highest one (RFC 3711, 3.3.1). Negative: it is before the first. */
const indexOf = (number: number, highest: number | undefined): number => {
  if (highest === undefined) return number
  const turn = Math.floor(highest / 0x1_00_00)
  const last = highest % 0x1_00_00
  const turns = number - last > 0x80_00 ? turn - 1 : last - number > 0x80_00 ? turn + 1 : turn
  return turns * 0x1_00_00 + number
}
