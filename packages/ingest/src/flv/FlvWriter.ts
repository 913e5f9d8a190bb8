import type { FlvTag } from "./FlvTag.ts"

const headerLength = 11
const types = { audio: 8, video: 9, script: 18 } as const

/** The header of an FLV file (version 1), and the size of the tag before the first: none. */
export const flvFileHeader = (has: { readonly audio: boolean; readonly video: boolean }): Uint8Array =>
  Uint8Array.from([
    0x46,
    0x4c,
    0x56,
    1,
    (has.audio ? 0x04 : 0) | (has.video ? 0x01 : 0),
    ...[0, 0, 0, 9],
    ...[0, 0, 0, 0]
  ])

/** A tag as the file has it: header, payload, and the size of both. The payload is not copied. */
export const flvTagParts = (tag: FlvTag): readonly [header: Uint8Array, payload: Uint8Array, size: Uint8Array] => {
  const size = tag.payload.length
  const ends = Buffer.allocUnsafe(headerLength + 4)
  ends[0] = types[tag.kind]
  ends.writeUIntBE(size, 1, 3)
  // The upper eight bits of the timestamp come last.
  ends.writeUIntBE(tag.timestamp & 0xff_ff_ff, 4, 3)
  ends[7] = Math.floor(tag.timestamp / 0x1_00_00_00) & 0xff
  ends.writeUIntBE(0, 8, 3)
  ends.writeUInt32BE(headerLength + size, headerLength)
  return [ends.subarray(0, headerLength), tag.payload, ends.subarray(headerLength)]
}

/** The same in one piece. */
export const flvTagBytes = (tag: FlvTag): Uint8Array => Buffer.concat(flvTagParts(tag))
