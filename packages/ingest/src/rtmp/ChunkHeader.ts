/** Timestamps of this value and above follow the header in 4 bytes of their own. */
export const extendedFrom = 0xff_ff_ff

/** Bytes of the message header by format (RTMP 5.3.1.2). */
const messageHeader = [11, 7, 3, 0] as const

/** The largest header: 3 bytes of a chunk stream id, 11 of a message, 4 of a timestamp. */
export const longestHeader = 18

/** The first bytes of a chunk. */
export interface BasicHeader {
  readonly format: number
  readonly chunkStreamId: number
  /** Bytes of the basic header. */
  readonly length: number
  /** Bytes of the message header. */
  readonly messageLength: number
}

/** Reads the basic header (RTMP 5.3.1.1). Undefined while it is incomplete. */
export const readBasicHeader = (bytes: Buffer, at: number, end: number): BasicHeader | undefined => {
  if (at >= end) return undefined
  const first = bytes[at] as number
  const format = first >> 6
  const low = first & 0x3f
  const length = low === 0 ? 2 : low === 1 ? 3 : 1
  if (at + length > end) return undefined
  const chunkStreamId =
    low > 1
      ? low
      : low === 0
        ? (bytes[at + 1] as number) + 64
        : (bytes[at + 2] as number) * 256 + (bytes[at + 1] as number) + 64
  return { format, chunkStreamId, length, messageLength: messageHeader[format] as number }
}

/** The chunk size of both sides until they set another (RTMP 5.4.1). */
export const firstChunkSize = 128
