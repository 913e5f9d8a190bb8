/** Packet types of enhanced video (Enhanced RTMP v2). */
export const videoPacket = {
  sequenceStart: 0,
  codedFrames: 1,
  sequenceEnd: 2,
  /** Frames whose composition time is that of decoding. */
  codedFramesX: 3,
  metadata: 4,
  mpeg2TsSequenceStart: 5,
  multitrack: 6
} as const

/** Packet types of enhanced audio. */
export const audioPacket = { sequenceStart: 0, codedFrames: 1, multitrack: 5 } as const

const modEx = 7

/** A packet in an enhanced tag. */
export interface EnhancedPacket {
  readonly type: number
  /** Where the FourCC begins. */
  readonly at: number
}

/**
 * The packet of an enhanced tag, behind its modifiers: each has a size, its data, and the next packet type in its last byte.
 * Undefined if the tag ends before.
 */
export const packetOf = (bytes: Uint8Array): EnhancedPacket | undefined => {
  let type = (bytes[0] as number) & 0x0f
  let at = 1
  while (type === modEx) {
    if (at >= bytes.length) return undefined
    let size = (bytes[at++] as number) + 1
    if (size === 256) {
      if (at + 2 > bytes.length) return undefined
      size = (((bytes[at] as number) << 8) | (bytes[at + 1] as number)) + 1
      at += 2
    }
    at += size
    if (at >= bytes.length) return undefined
    type = (bytes[at++] as number) & 0x0f
  }
  return { type, at }
}
