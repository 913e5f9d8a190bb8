import { type Extension, extensionType, type Handshake, handshakeBody, handshakeType, magic } from "./Handshake.ts"
import { controlBytes, controlType } from "./SrtPacket.ts"

/** Where an answer goes. */
export interface Peer {
  readonly address: string
  readonly port: number
}

/** The version of libsrt whose features are spoken. */
const version = 0x01_05_00
/** Delivery by time on both sides, encryption, dropping what is too late, periodic reports of loss, marks of repeated packets. */
const flags = 0x3f
const requestFlag = 1
const keyFlag = 2
const mtu = 1500

const packet = (handshake: Handshake, to: number, { address }: Peer): Buffer =>
  controlBytes({ type: controlType.handshake, time: 0, socketId: to, body: handshakeBody(handshake, address) })

/** The answer to an induction: the same with a cookie, and no longer (SRT 4.3.1.1). */
export const inductionAnswer = (asked: Handshake, cookie: number, peer: Peer): Buffer => {
  const answer = { ...asked, version: 5, encryption: 0, extensionField: magic, cookie, extensions: [] }
  return packet(answer, asked.socketId, peer)
}

/** The answer to a request that is rejected. */
export const rejectionAnswer = (asked: Handshake, code: number, peer: Peer): Buffer => {
  const answer = { ...asked, version: 5, encryption: 0, extensionField: 0, type: code, extensions: [] }
  return packet(answer, asked.socketId, peer)
}

export interface Accepted {
  readonly socketId: number
  /** Milliseconds. */
  readonly latency: number
  /** In packets. */
  readonly flowWindow: number
  readonly keyMaterial: Buffer | undefined
}

/** The answer to a request that is accepted. */
export const acceptance = (asked: Handshake, accepted: Accepted, peer: Peer): Buffer => {
  const { flowWindow, keyMaterial, latency, socketId } = accepted
  const response = Buffer.alloc(12)
  response.writeUInt32BE(version, 0)
  response.writeUInt32BE(flags, 4)
  response.writeUInt16BE(latency, 8)
  response.writeUInt16BE(latency, 10)
  const extensions: Array<Extension> = [{ type: extensionType.response, content: response }]
  // The same message says that its keys were understood.
  if (keyMaterial !== undefined) extensions.push({ type: extensionType.keyResponse, content: keyMaterial })
  const answer: Handshake = {
    ...{ version: 5, encryption: 0, type: handshakeType.conclusion, sequence: asked.sequence, cookie: asked.cookie },
    extensionField: requestFlag | (keyMaterial === undefined ? 0 : keyFlag),
    mtu: Math.min(mtu, asked.mtu),
    flowWindow,
    socketId,
    extensions
  }
  return packet(answer, asked.socketId, peer)
}
