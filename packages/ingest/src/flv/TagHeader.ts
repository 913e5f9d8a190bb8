import { type Codec, codecOfAudio, codecOfFourCc, codecOfVideo } from "./Codec.ts"

/** What the first bytes of a media tag say. */
export interface TagHeader {
  readonly codec: Codec
  readonly keyframe: boolean
  readonly sequenceHeader: boolean
  readonly enhanced: boolean
}

/** Why a tag cannot be taken: it is too short for its header, or has several tracks. */
export type TagFault = "truncated" | "multitrack"

const keyFrame = 1
const commandFrame = 5
const avc = 7
const classicHevc = 12
const aac = 10
const exAudio = 9

/** Packet types of Enhanced RTMP that audio and video share, and those of video. */
const sequenceStart = 0
const metadata = 4
const mpeg2TsSequenceStart = 5
const videoMultitrack = 6
const audioMultitrack = 5
const modEx = 7

interface Packet {
  readonly type: number
  /** Where the FourCC begins. */
  readonly at: number
}

/** Skips the modifiers before the packet: each has a size, its data, and the next packet type in its last byte. */
const packetOf = (bytes: Uint8Array, first: number): Packet | undefined => {
  let type = first
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

const enhancedVideo = (bytes: Uint8Array, first: number): TagHeader | TagFault => {
  const frame = (first >> 4) & 0x07
  const packet = packetOf(bytes, first & 0x0f)
  if (packet === undefined) return "truncated"
  if (packet.type === videoMultitrack) return "multitrack"
  // A command of the player has no codec.
  if (frame === commandFrame && packet.type !== metadata) {
    return { codec: "unknown", keyframe: false, sequenceHeader: false, enhanced: true }
  }
  if (packet.at + 4 > bytes.length) return "truncated"
  const sequenceHeader = packet.type === sequenceStart || packet.type === mpeg2TsSequenceStart
  const coded = packet.type === 1 || packet.type === 3
  return {
    codec: codecOfFourCc(bytes, packet.at),
    keyframe: coded && frame === keyFrame,
    sequenceHeader,
    enhanced: true
  }
}

/** Reads the header of a video tag (FLV 10.1 E.4.3; Enhanced RTMP v2, enhanced video). */
export const readVideoHeader = (bytes: Uint8Array): TagHeader | TagFault => {
  const first = bytes[0]
  if (first === undefined) return "truncated"
  if ((first & 0x80) !== 0) return enhancedVideo(bytes, first)
  const id = first & 0x0f
  const packeted = id === avc || id === classicHevc
  if (packeted && bytes.length < 5) return "truncated"
  const sequenceHeader = packeted && bytes[1] === 0
  const coded = !packeted || bytes[1] === 1
  return { codec: codecOfVideo(id), keyframe: coded && first >> 4 === keyFrame, sequenceHeader, enhanced: false }
}

/** Reads the header of an audio tag (FLV 10.1 E.4.2; Enhanced RTMP v2, enhanced audio). */
export const readAudioHeader = (bytes: Uint8Array): TagHeader | TagFault => {
  const first = bytes[0]
  if (first === undefined) return "truncated"
  const format = first >> 4
  if (format !== exAudio) {
    if (format === aac && bytes.length < 2) return "truncated"
    const sequenceHeader = format === aac && bytes[1] === 0
    return { codec: codecOfAudio(format), keyframe: !sequenceHeader, sequenceHeader, enhanced: false }
  }
  const packet = packetOf(bytes, first & 0x0f)
  if (packet === undefined) return "truncated"
  if (packet.type === audioMultitrack) return "multitrack"
  if (packet.at + 4 > bytes.length) return "truncated"
  return {
    codec: codecOfFourCc(bytes, packet.at),
    keyframe: packet.type === 1,
    sequenceHeader: packet.type === sequenceStart,
    enhanced: true
  }
}
