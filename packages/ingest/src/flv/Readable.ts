import type { Codec } from "./Codec.ts"
import type { TagHeader } from "./TagHeader.ts"

/** What the bundled ffmpeg reads in an FLV stream, within the decoders that lives may use. */
const readable = {
  video: new Set<Codec>(["avc", "hevc", "av1", "vp9", "h263"]),
  audio: new Set<Codec>(["aac", "mp3"])
}

/** A codec that is lost without a word by what reads the stream. */
export interface UnreadableCodec {
  readonly kind: "audio" | "video"
  readonly codec: Codec
}

/**
 * The codec of a tag that nothing here reads; undefined if it is read, or the tag is no frame and no header. HEVC is read
 * behind headers of Enhanced RTMP alone.
 */
export const unreadable = (
  kind: "audio" | "video",
  { codec, enhanced, keyframe, sequenceHeader }: TagHeader
): UnreadableCodec | undefined => {
  if (!keyframe && !sequenceHeader) return undefined
  const isOldHevc = codec === "hevc" && !enhanced
  return readable[kind].has(codec) && !isOldHevc ? undefined : { kind, codec }
}

const names: Partial<Record<Codec, string>> = {
  opus: "Opus",
  flac: "FLAC",
  ac3: "AC-3",
  eac3: "E-AC-3",
  speex: "Speex",
  nellymoser: "Nellymoser",
  g711: "G.711",
  pcm: "PCM",
  vvc: "VVC",
  vp8: "VP8",
  vp6: "VP6",
  screen: "Screen Video"
}

/** Why the publisher is sent away, and what to do about it. */
export const unreadableReason = ({ codec, kind }: UnreadableCodec): string => {
  if (codec === "hevc") return "HEVC is not supported without Enhanced RTMP. Use a newer encoder, or send H.264."
  const what = names[codec] ?? (kind === "audio" ? "This audio codec" : "This video codec")
  return `${what} is not supported over RTMP. ${kind === "audio" ? "Send AAC." : "Send H.264, HEVC, AV1 or VP9."}`
}
