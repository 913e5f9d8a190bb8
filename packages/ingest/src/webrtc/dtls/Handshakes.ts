import { ByteReader, numberBytes } from "../bytes/ByteReader.ts"
import { Malformed } from "../bytes/Malformed.ts"

/** Types of handshake messages. */
export const handshake = {
  clientHello: 1,
  serverHello: 2,
  certificate: 11,
  serverKeyExchange: 12,
  certificateRequest: 13,
  serverHelloDone: 14,
  certificateVerify: 15,
  clientKeyExchange: 16,
  finished: 20
} as const

export interface HandshakeMessage {
  readonly type: number
  readonly body: Buffer
  /** As it counts for the hash: with its header, in one piece. */
  readonly whole: Buffer
}

/** A handshake message in one piece (RFC 6347, 4.2.2). */
export const handshakeBytes = (type: number, sequence: number, body: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from([type]),
    numberBytes(body.length, 3),
    numberBytes(sequence, 2),
    numberBytes(0, 3),
    numberBytes(body.length, 3),
    body
  ])

/** Longer messages are refused: certificates of peers have less than 2 KiB. */
const longest = 16 * 1024
/** Messages that may arrive before the one that is expected. */
const ahead = 8

interface Pieces {
  readonly type: number
  readonly body: Buffer
  readonly has: Uint8Array
  missing: number
}

/** Puts the pieces of handshake messages together, and gives them in order. */
export class HandshakeReader {
  readonly #waiting = new Map<number, Pieces>()
  #next = 0
  /** Set when a piece of an earlier message arrived: the peer has not received our answer. */
  repeated = false

  /** Takes the content of a record. Throws `Malformed`. */
  add(fragment: Uint8Array): void {
    const reader = new ByteReader(fragment)
    while (reader.left > 0) {
      const type = reader.number(1)
      const length = reader.number(3)
      const sequence = reader.number(2)
      const offset = reader.number(3)
      const piece = reader.vector(3)
      if (length > longest || offset + piece.length > length) throw new Malformed("a handshake message too long")
      if (sequence < this.#next) this.repeated = true
      else if (sequence < this.#next + ahead) this.#keep(type, length, sequence, offset, piece)
    }
  }

  /** The next message, if it is whole. */
  pull(): HandshakeMessage | undefined {
    const pieces = this.#waiting.get(this.#next)
    if (pieces === undefined || pieces.missing > 0) return undefined
    this.#waiting.delete(this.#next)
    const whole = handshakeBytes(pieces.type, this.#next, pieces.body)
    this.#next += 1
    return { type: pieces.type, body: pieces.body, whole }
  }

  #keep(type: number, length: number, sequence: number, offset: number, piece: Uint8Array): void {
    const known = this.#waiting.get(sequence)
    const pieces = known ?? { type, body: Buffer.alloc(length), has: new Uint8Array(length), missing: length }
    if (known === undefined) this.#waiting.set(sequence, pieces)
    if (pieces.type !== type || pieces.body.length !== length) throw new Malformed("pieces that do not fit")
    for (let index = 0; index < piece.length; index++) {
      if (pieces.has[offset + index] === 1) continue
      pieces.has[offset + index] = 1
      pieces.body[offset + index] = piece[index]!
      pieces.missing -= 1
    }
  }
}
