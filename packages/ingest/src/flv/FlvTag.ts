import type { Codec } from "./Codec.ts"

interface Tag {
  /** Milliseconds; continues where the 32 bits of the protocol wrap around. */
  readonly timestamp: number
  /** The body of the tag, in the form of the FLV file. It is the receiver's alone. */
  readonly payload: Uint8Array
}

/** Metadata or another script, as AMF0. */
export interface ScriptTag extends Tag {
  readonly kind: "script"
}

/** A frame or a header of audio or video, with what its first bytes say. */
export interface MediaTag extends Tag {
  readonly kind: "audio" | "video"
  readonly codec: Codec
  /** Whether decoding can start here. Every frame of audio is one. */
  readonly keyframe: boolean
  /** Whether this configures the decoder, and holds no frame. */
  readonly sequenceHeader: boolean
  /** Whether the header is one of Enhanced RTMP: the codec has no classic one. */
  readonly enhanced: boolean
}

/** One tag of an FLV stream. */
export type FlvTag = MediaTag | ScriptTag
