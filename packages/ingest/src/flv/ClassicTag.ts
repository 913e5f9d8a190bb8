import type { Codec } from "./Codec.ts"
import { audioPacket, type EnhancedPacket, packetOf, videoPacket } from "./EnhancedPacket.ts"

const avc = 7
/** AAC and MP3 with the flags that the specification fixes for AAC: decoders read the stream itself. */
const aac = 0xaf
const mp3 = 0x2f

/** Puts a header right before `at`, over the end of the longer one there, and cuts off the rest. */
const headed = (bytes: Uint8Array, at: number, header: ReadonlyArray<number>): Uint8Array => {
  const from = at - header.length
  bytes.set(header, from)
  return bytes.subarray(from)
}

const classicAvc = (bytes: Uint8Array, { at, type }: EnhancedPacket): Uint8Array | undefined => {
  const frame = ((bytes[0] as number) & 0x70) | avc
  switch (type) {
    case videoPacket.sequenceStart:
      return headed(bytes, at + 4, [frame, 0, 0, 0, 0])
    case videoPacket.codedFrames:
      // The composition time stands behind both headers.
      return headed(bytes, at + 4, [frame, 1])
    case videoPacket.sequenceEnd:
      return headed(bytes, at + 4, [frame, 2, 0, 0, 0])
    case videoPacket.codedFramesX:
      return headed(bytes, at + 4, [frame, 1, 0, 0, 0])
    default:
      return undefined
  }
}

/**
 * Rewrites an enhanced tag as a classic one, in place, where the codec has a classic header: programs know these codecs by
 * it, and not all know the other. Undefined where there is none.
 */
export const toClassic = (bytes: Uint8Array, codec: Codec): Uint8Array | undefined => {
  const packet = packetOf(bytes)
  if (packet === undefined) return undefined
  const { at, type } = packet
  if (codec === "avc") return classicAvc(bytes, packet)
  if (type !== audioPacket.sequenceStart && type !== audioPacket.codedFrames) return undefined
  if (codec === "aac") return headed(bytes, at + 4, [aac, type])
  return codec === "mp3" && type === audioPacket.codedFrames ? headed(bytes, at + 4, [mp3]) : undefined
}
