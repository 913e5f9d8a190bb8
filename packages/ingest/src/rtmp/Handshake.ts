import { randomBytes } from "node:crypto"
import { RtmpViolation } from "./RtmpViolation.ts"

/** Bytes of C1, C2, S1 and S2. */
const packetLength = 1_536
const version = 3
/** Time and zero, or both times: what stands before the random bytes. */
const timesLength = 8

/** What the server does with bytes of the handshake. */
export interface HandshakeStep {
  /** To be sent at once. */
  readonly reply: Uint8Array | undefined
  /** Set when the handshake is done: the bytes after it. */
  readonly rest: Buffer | undefined
}

/**
 * The server's side of the simple handshake (RTMP 5.2). What encoders put into C1 beside the time does not matter: a zero
 * version in S1 makes those with the digests of Flash fall back to it. C2 must repeat S1.
 */
export class Handshake {
  #received: Buffer = Buffer.alloc(0)
  #random: Buffer | undefined

  /** Takes bytes. Throws `RtmpViolation`. */
  push(bytes: Buffer): HandshakeStep {
    if (this.#received.length === 0 && bytes.length > 0 && bytes[0] !== version && this.#random === undefined) {
      throw new RtmpViolation(`version ${bytes[0]}`)
    }
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes])
    const reply = this.#random === undefined ? this.#greet() : undefined
    return { reply, rest: this.#random === undefined ? undefined : this.#finish(this.#random) }
  }

  /** S0, S1 and S2, once C0 and C1 are complete. */
  #greet(): Uint8Array | undefined {
    const length = 1 + packetLength
    if (this.#received.length < length) return undefined
    this.#random = randomBytes(packetLength - timesLength)
    const reply = Buffer.alloc(length + packetLength)
    reply[0] = version
    this.#random.copy(reply, 1 + timesLength)
    this.#received.copy(reply, length, 1, length)
    this.#received = this.#received.subarray(length)
    return reply
  }

  /** The rest, once C2 is complete. */
  #finish(random: Buffer): Buffer | undefined {
    if (this.#received.length < packetLength) return undefined
    if (!this.#received.subarray(timesLength, packetLength).equals(random)) {
      throw new RtmpViolation("C2 does not repeat S1")
    }
    return this.#received.subarray(packetLength)
  }
}
