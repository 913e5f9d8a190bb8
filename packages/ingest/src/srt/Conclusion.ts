import { extensionText, extensionType, type Handshake } from "./Handshake.ts"
import { rejection } from "./Rejection.ts"
import { streamKeyOf } from "./StreamId.ts"

/** What a publisher asks for at the end of the handshake. */
export interface Terms {
  /** The publisher's socket id. */
  readonly peer: number
  /** The sequence number of the first packet. */
  readonly sequence: number
  readonly streamKey: string
  /** How long it wants lost packets to be waited for. Milliseconds. */
  readonly latency: number
  /** A keying material message: the stream will be encrypted. */
  readonly keyMaterial: Buffer | undefined
}

/** 1.3.0, the first version with this handshake. */
const oldestVersion = 0x01_03_00
/** In the flags: a stream of bytes, for files. */
const streamFlag = 0x40
const requestLength = 12
const longestStreamId = 512

/** Reads the request of a caller (SRT 3.2.1.1, 4.3.1.2). A number is the code of its rejection. */
export const readConclusion = (handshake: Handshake): Terms | number => {
  const { extensions, sequence, socketId, version } = handshake
  if (version !== 5) return rejection.version
  const find = (type: number) => extensions.find((extension) => extension.type === type)?.content
  const request = find(extensionType.request)
  if (request === undefined || request.length < requestLength || socketId === 0) return rejection.rogue
  if (request.readUInt32BE(0) < oldestVersion) return rejection.version
  if ((request.readUInt32BE(4) & streamFlag) !== 0) return rejection.messageApi
  const congestion = find(extensionType.congestion)
  if (congestion !== undefined && extensionText(congestion) !== "live") return rejection.congestion
  if (find(extensionType.filter) !== undefined) return rejection.filter
  if (find(extensionType.group) !== undefined) return rejection.group
  const streamId = find(extensionType.streamId)
  if (streamId === undefined || streamId.length > longestStreamId) return rejection.badRequest
  const streamKey = streamKeyOf(extensionText(streamId))
  if (typeof streamKey === "number") return streamKey
  // The lower half is the delay that the sender wants the receiver to have.
  return {
    peer: socketId,
    sequence,
    streamKey,
    latency: request.readUInt16BE(10),
    keyMaterial: find(extensionType.keyRequest)
  }
}
