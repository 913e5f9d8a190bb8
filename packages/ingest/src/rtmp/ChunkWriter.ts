import { extendedFrom } from "./ChunkHeader.ts"
import { messageType, type RtmpMessage } from "./Messages.ts"

/** What the server announces and sends: most frames are one chunk. */
export const outgoingChunkSize = 65_536

/** Chunk stream ids of the server: 2 is for protocol control. */
const chunkStreamOf = (type: number): number => {
  if (type < messageType.audio) return 2
  if (type === messageType.command) return 3
  return type === messageType.audio ? 4 : type === messageType.video ? 6 : 5
}

/** A message as chunks: a full header, and short ones every `chunkSize` bytes. */
export const encodeChunks = (message: RtmpMessage, chunkSize = outgoingChunkSize): Uint8Array => {
  const { payload } = message
  const id = chunkStreamOf(message.type)
  const timestamp = message.timestamp >>> 0
  const extended = timestamp >= extendedFrom
  const more = Math.max(0, Math.ceil(payload.length / chunkSize) - 1)
  const bytes = Buffer.allocUnsafe(12 + payload.length + more + (extended ? 4 * (more + 1) : 0))
  bytes[0] = id
  bytes.writeUIntBE(extended ? extendedFrom : timestamp, 1, 3)
  bytes.writeUIntBE(payload.length, 4, 3)
  bytes[7] = message.type
  bytes.writeUInt32LE(message.streamId, 8)
  let at = 12
  for (let from = 0; ; from += chunkSize) {
    if (from > 0) bytes[at++] = 0xc0 | id
    if (extended) at = bytes.writeUInt32BE(timestamp, at)
    const part = payload.subarray(from, from + chunkSize)
    bytes.set(part, at)
    at += part.length
    if (from + chunkSize >= payload.length) return bytes
  }
}
