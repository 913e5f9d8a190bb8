/** A packet of RTP (RFC 3550, 5.1). */
export interface RtpPacket {
  readonly payloadType: number
  /** The last packet of a picture. */
  readonly marker: boolean
  readonly sequence: number
  readonly timestamp: number
  readonly ssrc: number
  readonly payload: Buffer
  /** The number of the packet among all of the connection, if it has one. */
  readonly transportSequence: number | undefined
}

const fixedLength = 12
const oneByteProfile = 0xbede

/** Length of the header with its sources and extension; undefined: this is no packet of RTP. */
export const headerLengthOf = (bytes: Buffer): number | undefined => {
  if (bytes.length < fixedLength || bytes[0]! >> 6 !== 2) return undefined
  let length = fixedLength + 4 * (bytes[0]! & 0x0f)
  if ((bytes[0]! & 0x10) === 0) return length <= bytes.length ? length : undefined
  if (length + 4 > bytes.length) return undefined
  length += 4 + 4 * bytes.readUInt16BE(length + 2)
  return length <= bytes.length ? length : undefined
}

/** The value of an extension with a header of one byte (RFC 8285, 4.2). */
const extensionOf = (bytes: Buffer, wanted: number): Buffer | undefined => {
  if ((bytes[0]! & 0x10) === 0) return undefined
  let at = fixedLength + 4 * (bytes[0]! & 0x0f)
  if (bytes.readUInt16BE(at) !== oneByteProfile) return undefined
  const end = at + 4 + 4 * bytes.readUInt16BE(at + 2)
  at += 4
  while (at < end) {
    const first = bytes[at++]!
    if (first === 0) continue
    const id = first >> 4
    const length = (first & 0x0f) + 1
    if (id === 15 || at + length > end) return undefined
    if (id === wanted) return bytes.subarray(at, at + length)
    at += length
  }
  return undefined
}

/**
 * Reads a packet; undefined: it is none.
 * @param transportId number of the extension with the number among all packets; undefined: there is none
 */
export const readRtp = (bytes: Buffer, transportId: number | undefined): RtpPacket | undefined => {
  const headerLength = headerLengthOf(bytes)
  if (headerLength === undefined) return undefined
  const padding = (bytes[0]! & 0x20) === 0 ? 0 : bytes.at(-1)!
  const end = bytes.length - padding
  if (end < headerLength) return undefined
  const extension = transportId === undefined ? undefined : extensionOf(bytes, transportId)
  return {
    payloadType: bytes[1]! & 0x7f,
    marker: (bytes[1]! & 0x80) !== 0,
    sequence: bytes.readUInt16BE(2),
    timestamp: bytes.readUInt32BE(4),
    ssrc: bytes.readUInt32BE(8),
    payload: bytes.subarray(headerLength, end),
    transportSequence: extension?.length === 2 ? extension.readUInt16BE(0) : undefined
  }
}

/** The packet that a retransmission repeats (RFC 4588); undefined: it repeats nothing. */
export const repeatedPacket = (packet: RtpPacket, payloadType: number, ssrc: number): RtpPacket | undefined =>
  packet.payload.length <= 2
    ? undefined
    : {
        ...packet,
        payloadType,
        ssrc,
        sequence: packet.payload.readUInt16BE(0),
        payload: packet.payload.subarray(2),
        transportSequence: undefined
      }
