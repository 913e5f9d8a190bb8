/** Every packet has this header (SRT 3). */
export const headerLength = 16
/** What a packet of 1500 bytes holds behind the headers of IPv4, UDP and SRT. */
const longestPayload = 1_456

/** Types of control packets (SRT 3.2). */
export const controlType = {
  handshake: 0,
  keepAlive: 1,
  ack: 2,
  nak: 3,
  shutdown: 5,
  ackAck: 6,
  dropRequest: 7,
  extension: 0x7f_ff
} as const

/** A packet of media (SRT 3.1). */
export interface DataPacket {
  readonly kind: "data"
  readonly socketId: number
  readonly sequence: number
  /** Which key it is encrypted with: 0 none, 1 the even one, 2 the odd one. 3 is none of data. */
  readonly key: number
  /** A part of the bytes that were read. */
  readonly payload: Buffer
}

export interface ControlPacket {
  readonly kind: "control"
  readonly socketId: number
  readonly type: number
  readonly subtype: number
  /** Of the type: the number of an acknowledgement, or of a message. */
  readonly info: number
  /** A part of the bytes that were read. */
  readonly body: Buffer
}

/** Reads a packet. Undefined: it is none. */
export const readPacket = (bytes: Buffer): DataPacket | ControlPacket | undefined => {
  if (bytes.length < headerLength) return undefined
  const first = bytes.readUInt32BE(0)
  const info = bytes.readUInt32BE(4)
  const socketId = bytes.readUInt32BE(12)
  const rest = bytes.subarray(headerLength)
  if (first < 0x80_00_00_00) {
    if (rest.length > longestPayload) return undefined
    return { kind: "data", socketId, sequence: first, key: (info >>> 27) & 3, payload: rest }
  }
  return { kind: "control", socketId, type: (first >>> 16) & 0x7f_ff, subtype: first & 0xff_ff, info, body: rest }
}

export interface OutgoingControl {
  readonly type: number
  readonly subtype?: number
  readonly info?: number
  /** Microseconds since the connection began. */
  readonly time: number
  /** The peer's. */
  readonly socketId: number
  readonly body?: Uint8Array
}

/** Packets without a body have a word of zeros: some peers expect one. */
const padding = Buffer.alloc(4)

/** The bytes of a control packet. */
export const controlBytes = ({
  body = padding,
  info = 0,
  socketId,
  subtype = 0,
  time,
  type
}: OutgoingControl): Buffer => {
  const bytes = Buffer.allocUnsafe(headerLength + body.length)
  bytes.writeUInt32BE((0x80_00_00_00 | (type << 16) | subtype) >>> 0, 0)
  bytes.writeUInt32BE(info >>> 0, 4)
  bytes.writeUInt32BE(Math.floor(time) >>> 0, 8)
  bytes.writeUInt32BE(socketId, 12)
  bytes.set(body, headerLength)
  return bytes
}
