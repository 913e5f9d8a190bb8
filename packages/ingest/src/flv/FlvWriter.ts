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

/** A tag as the file has it: header, payload, and the size of both. */
export const flvTagBytes = (tag: FlvTag): Uint8Array => {
  const size = tag.payload.length
  const bytes = Buffer.allocUnsafe(headerLength + size + 4)
  bytes[0] = types[tag.kind]
  bytes.writeUIntBE(size, 1, 3)
  // The upper eight bits of the timestamp come last.
  bytes.writeUIntBE(tag.timestamp & 0xff_ff_ff, 4, 3)
  bytes[7] = Math.floor(tag.timestamp / 0x1_00_00_00) & 0xff
  bytes.writeUIntBE(0, 8, 3)
  bytes.set(tag.payload, headerLength)
  bytes.writeUInt32BE(headerLength + size, headerLength + size)
  return bytes
}
