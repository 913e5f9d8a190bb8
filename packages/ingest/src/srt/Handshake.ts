import { isIPv4 } from "node:net"

/** The fixed part of a handshake (SRT 3.2.1). */
const handshakeLength = 48

/** What a handshake is for. From 1000 on it is a rejection, by its code. */
export const handshakeType = { induction: 1, conclusion: 0xff_ff_ff_ff } as const

/** In the extension field of a listener's induction: version 5 is spoken (SRT 4.3.1.1). */
export const magic = 0x4a_17

/** Types of extensions (SRT 3.2.1, table 5). */
export const extensionType = {
  request: 1,
  response: 2,
  keyRequest: 3,
  keyResponse: 4,
  streamId: 5,
  congestion: 6,
  filter: 7,
  group: 8
} as const

export interface Extension {
  readonly type: number
  readonly content: Buffer
}

export interface Handshake {
  readonly version: number
  /** Length of the key in bytes, divided by 8; 0: none is advertised. */
  readonly encryption: number
  /** Which extensions there are; in inductions a constant. */
  readonly extensionField: number
  readonly sequence: number
  readonly mtu: number
  /** In packets. */
  readonly flowWindow: number
  readonly type: number
  readonly socketId: number
  readonly cookie: number
  readonly extensions: ReadonlyArray<Extension>
}

const readExtensions = (body: Buffer): ReadonlyArray<Extension> | undefined => {
  const found: Array<Extension> = []
  for (let at = handshakeLength; at + 4 <= body.length;) {
    const type = body.readUInt16BE(at)
    const end = at + 4 + body.readUInt16BE(at + 2) * 4
    if (end > body.length) return undefined
    found.push({ type, content: body.subarray(at + 4, end) })
    at = end
  }
  return found
}

/** Reads the body of a handshake packet. Undefined: it is none. */
export const readHandshake = (body: Buffer): Handshake | undefined => {
  if (body.length < handshakeLength) return undefined
  const version = body.readUInt32BE(0)
  const type = body.readUInt32BE(20)
  const extensions = version === 5 && type === handshakeType.conclusion ? readExtensions(body) : []
  if (extensions === undefined) return undefined
  return {
    version,
    encryption: body.readUInt16BE(4),
    extensionField: body.readUInt16BE(6),
    sequence: body.readUInt32BE(8) & 0x7f_ff_ff_ff,
    mtu: body.readUInt32BE(12),
    flowWindow: body.readUInt32BE(16),
    type,
    socketId: body.readUInt32BE(24),
    cookie: body.readUInt32BE(28),
    extensions
  }
}

/** The body of a handshake packet. `peer` is the address of who gets it. */
export const handshakeBody = (handshake: Handshake, peer: string): Buffer => {
  const fixed = Buffer.alloc(handshakeLength)
  fixed.writeUInt32BE(handshake.version, 0)
  fixed.writeUInt16BE(handshake.encryption, 4)
  fixed.writeUInt16BE(handshake.extensionField, 6)
  fixed.writeUInt32BE(handshake.sequence, 8)
  fixed.writeUInt32BE(handshake.mtu, 12)
  fixed.writeUInt32BE(handshake.flowWindow, 16)
  fixed.writeUInt32BE(handshake.type, 20)
  fixed.writeUInt32BE(handshake.socketId, 24)
  fixed.writeUInt32BE(handshake.cookie, 28)
  // Four bytes in the order of the machine; what peers do with it is show it.
  if (isIPv4(peer)) fixed.set(peer.split(".").map(Number).reverse(), 32)
  const parts = handshake.extensions.flatMap(({ content, type }) => {
    const head = Buffer.alloc(4)
    head.writeUInt16BE(type, 0)
    head.writeUInt16BE(content.length / 4, 2)
    return [head, content]
  })
  return Buffer.concat([fixed, ...parts])
}

/** The text of an extension: the bytes of each word stand in reverse order, zeros fill the last one (SRT 3.2.1.3). */
export const extensionText = (content: Buffer): string => {
  const text = Buffer.from(content).swap32()
  const end = text.indexOf(0)
  return text.toString("utf8", 0, end < 0 ? text.length : end)
}
