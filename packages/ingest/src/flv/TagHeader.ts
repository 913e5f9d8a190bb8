import { type Codec, codecOfAudio, codecOfFourCc, codecOfVideo } from "./Codec.ts"
import { audioPacket, packetOf, videoPacket } from "./EnhancedPacket.ts"

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

const enhancedVideo = (bytes: Uint8Array, first: number): TagHeader | TagFault => {
  const frame = (first >> 4) & 0x07
  const packet = packetOf(bytes)
  if (packet === undefined) return "truncated"
  if (packet.type === videoPacket.multitrack) return "multitrack"
  // A command of the player has no codec.
  if (frame === commandFrame && packet.type !== videoPacket.metadata) {
    return { codec: "unknown", keyframe: false, sequenceHeader: false, enhanced: true }
  }
  if (packet.at + 4 > bytes.length) return "truncated"
  const codec = codecOfFourCc(bytes, packet.at)
  // Only these two have a composition time, and only in packets of this type.
  const timed = packet.type === videoPacket.codedFrames && (codec === "avc" || codec === "hevc")
  if (timed && packet.at + 7 > bytes.length) return "truncated"
  const sequenceHeader = packet.type === videoPacket.sequenceStart || packet.type === videoPacket.mpeg2TsSequenceStart
  const coded = packet.type === videoPacket.codedFrames || packet.type === videoPacket.codedFramesX
  return { codec, keyframe: coded && frame === keyFrame, sequenceHeader, enhanced: true }
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
  const packet = packetOf(bytes)
  if (packet === undefined) return "truncated"
  if (packet.type === audioPacket.multitrack) return "multitrack"
  if (packet.at + 4 > bytes.length) return "truncated"
  return {
    codec: codecOfFourCc(bytes, packet.at),
    keyframe: packet.type === audioPacket.codedFrames,
    sequenceHeader: packet.type === audioPacket.sequenceStart,
    enhanced: true
  }
}
