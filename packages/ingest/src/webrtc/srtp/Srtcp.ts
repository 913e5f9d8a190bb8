import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from "node:crypto"
import { numberBytes } from "../bytes/ByteReader.ts"
import { counterOf, type MasterKey, type SessionKeys, sessionKeys } from "./SessionKeys.ts"

const tagLength = 10
const headerLength = 8
const encrypted = 0x80_00_00_00

const macOf = ({ authentication }: SessionKeys, bytes: Uint8Array): Buffer =>
  createHmac("sha1", authentication).update(bytes).digest().subarray(0, tagLength)

/** Opens packets of SRTCP (RFC 3711, 3.4). */
export class SrtcpReceiver {
  readonly #keys: SessionKeys
  #highest = -1

  constructor(master: MasterKey) {
    this.#keys = sessionKeys(master, "srtcp")
  }

  /** The packet in the clear; undefined: it is not from the peer, came before, or was overtaken. */
  open(packet: Uint8Array): Buffer | undefined {
    const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength)
    const indexAt = bytes.length - tagLength - 4
    if (indexAt < headerLength) return undefined
    const covered = bytes.subarray(0, indexAt + 4)
    if (!timingSafeEqual(macOf(this.#keys, covered), bytes.subarray(indexAt + 4))) return undefined
    const word = bytes.readUInt32BE(indexAt)
    const index = word & 0x7f_ff_ff_ff
    // Reports are only of interest while they are new.
    if (index <= this.#highest) return undefined
    this.#highest = index
    const body = bytes.subarray(headerLength, indexAt)
    if (word < encrypted) return Buffer.from(bytes.subarray(0, indexAt))
    const counter = counterOf(this.#keys.salt, bytes.readUInt32BE(4), index)
    const decipher = createDecipheriv("aes-128-ctr", this.#keys.cipher, counter)
    return Buffer.concat([bytes.subarray(0, headerLength), decipher.update(body)])
  }
}

/** Seals packets of SRTCP. */
export class SrtcpSender {
  readonly #keys: SessionKeys
  #index = 0

  constructor(master: MasterKey) {
    this.#keys = sessionKeys(master, "srtcp")
  }

  seal(packet: Buffer): Buffer {
    const index = this.#index++
    const counter = counterOf(this.#keys.salt, packet.readUInt32BE(4), index)
    const cipher = createCipheriv("aes-128-ctr", this.#keys.cipher, counter)
    const covered = Buffer.concat([
      packet.subarray(0, headerLength),
      cipher.update(packet.subarray(headerLength)),
      numberBytes(encrypted + index, 4)
    ])
    return Buffer.concat([covered, macOf(this.#keys, covered)])
  }
}
