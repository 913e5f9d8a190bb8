import { Result, Schema } from "effect"
import { decodeBencode } from "../metainfo/Bencode.ts"
import { torrentLimits } from "../metainfo/TorrentLimits.ts"

/** A peer broke the protocol. */
export class PeerViolation extends Error {}

/** Size of a block request. */
export const blockLength = 16 * 1024

const none = Buffer.alloc(0)
const lengthBytes = 4
const greetingLength = 68
const greeting = Buffer.from("\x13BitTorrent protocol", "latin1")
const longest = 1 + Math.ceil(torrentLimits.pieces / 8)

const id = {
  choke: 0,
  unchoke: 1,
  have: 4,
  bitfield: 5,
  piece: 7,
  haveAll: 14,
  haveNone: 15,
  reject: 16,
  allowedFast: 17,
  extended: 20
} as const

/** Minimum and maximum length of each supported message, including its id. Other messages are ignored. */
const lengths = new Map<number, readonly [min: number, max: number]>([
  [id.choke, [1, 1]],
  [id.unchoke, [1, 1]],
  [id.have, [5, 5]],
  [id.bitfield, [1, longest]],
  [id.piece, [9, 9 + blockLength]],
  [id.haveAll, [1, 1]],
  [id.haveNone, [1, 1]],
  [id.reject, [13, 13]],
  [id.allowedFast, [5, 5]],
  // A part of the metadata is a block with a short dictionary before it.
  [id.extended, [2, blockLength + 1_024]]
])

/** The extended handshake (BEP 10): the library takes everything in `m` for numbers. */
const Handshake = Schema.Struct({
  m: Schema.optionalKey(Schema.Record(Schema.String, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))))
})
const decodeHandshake = Schema.decodeUnknownResult(Handshake)
const handshakeLimits = { maxDepth: 8, maxValues: 1_000 }

const check = (message: Buffer): void => {
  const kind = message[0]
  if (kind === id.have && message.readUInt32BE(1) >= torrentLimits.pieces)
    throw new PeerViolation("a piece out of range")
  if (kind !== id.extended || message[1] !== 0) return
  const handshake = decodeHandshake(decodeBencode(message.subarray(2), handshakeLimits))
  if (Result.isFailure(handshake)) throw new PeerViolation("no extended handshake")
}

/**
 * Splits a peer's stream into messages, and passes on those that are well-formed and that a leecher needs. Otherwise
 * the library would wait for as many bytes as a message claims to have, and trust its content. Throws `PeerViolation`.
 */
export const makePeerFrames = (passOn: (message: Buffer) => void): ((bytes: Buffer) => void) => {
  /** The start of an incomplete message. */
  let rest: Buffer = none
  let greeted = false

  /** Total bytes of the message that starts here. Undefined while its length is unknown. */
  const lengthOf = (bytes: Buffer): number | undefined => {
    if (!greeted) {
      const prefix = bytes.subarray(0, greeting.length)
      if (!prefix.equals(greeting.subarray(0, prefix.length))) throw new PeerViolation("another protocol")
      return greetingLength
    }
    if (bytes.length < lengthBytes) return undefined
    const length = bytes.readUInt32BE(0)
    if (length > longest) throw new PeerViolation("a message too long")
    return lengthBytes + length
  }

  const take = (message: Buffer): void => {
    if (!greeted) {
      greeted = true
      passOn(message)
      return
    }
    const length = message.length - lengthBytes
    const bounds = length === 0 ? undefined : lengths.get(message[lengthBytes] as number)
    if (bounds === undefined) return
    if (length < bounds[0] || length > bounds[1]) throw new PeerViolation("a message of the wrong length")
    check(message.subarray(lengthBytes))
    passOn(message)
  }

  /** Passes on complete messages and returns the rest. */
  const takeAll = (bytes: Buffer): Buffer => {
    let left = bytes
    for (let length = lengthOf(left); length !== undefined && length <= left.length; length = lengthOf(left)) {
      take(left.subarray(0, length))
      left = left.subarray(length)
    }
    return left
  }

  return (bytes) => {
    let left = bytes
    // Completes a started message, and copies nothing else.
    while (rest.length > 0 && left.length > 0) {
      const length = lengthOf(rest)
      const more = (length ?? lengthBytes) - rest.length
      rest = Buffer.concat([rest, left.subarray(0, more)])
      left = left.subarray(more)
      if (rest.length === length) {
        take(rest)
        rest = none
      }
    }
    rest = rest.length > 0 ? takeAll(rest) : takeAll(left)
  }
}
