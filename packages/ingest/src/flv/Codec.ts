/** A codec, by a name of its own: the FLV specification and Enhanced RTMP number them in different ways. */
export type Codec = VideoCodec | AudioCodec | "unknown"

type VideoCodec = "avc" | "hevc" | "vvc" | "av1" | "vp8" | "vp9" | "vp6" | "h263" | "screen"
type AudioCodec = "aac" | "mp3" | "opus" | "flac" | "ac3" | "eac3" | "speex" | "nellymoser" | "g711" | "pcm"

/** CodecID of VIDEODATA (FLV 10.1). */
const classicVideo = new Map<number, VideoCodec>([
  [2, "h263"],
  [3, "screen"],
  [4, "vp6"],
  [5, "vp6"],
  [6, "screen"],
  [7, "avc"],
  // Not of the specification: what encoders sent before Enhanced RTMP.
  [12, "hevc"]
])

/** SoundFormat of AUDIODATA (FLV 10.1). */
const classicAudio = new Map<number, AudioCodec>([
  [0, "pcm"],
  [1, "pcm"],
  [2, "mp3"],
  [3, "pcm"],
  [4, "nellymoser"],
  [5, "nellymoser"],
  [6, "nellymoser"],
  [7, "g711"],
  [8, "g711"],
  [10, "aac"],
  [11, "speex"],
  [14, "mp3"]
])

/** FourCC of Enhanced RTMP v2. */
const fourCcs = new Map<string, Codec>([
  ["avc1", "avc"],
  ["hvc1", "hevc"],
  ["vvc1", "vvc"],
  ["av01", "av1"],
  ["vp08", "vp8"],
  ["vp09", "vp9"],
  ["mp4a", "aac"],
  [".mp3", "mp3"],
  ["Opus", "opus"],
  ["fLaC", "flac"],
  ["ac-3", "ac3"],
  ["ec-3", "eac3"]
])

/** The codec of a CodecID. */
export const codecOfVideo = (id: number): Codec => classicVideo.get(id) ?? "unknown"

/** The codec of a SoundFormat. */
export const codecOfAudio = (format: number): Codec => classicAudio.get(format) ?? "unknown"

/** The codec of the FourCC at an offset. */
export const codecOfFourCc = (bytes: Uint8Array, at: number): Codec =>
  fourCcs.get(String.fromCharCode(...bytes.subarray(at, at + 4))) ?? "unknown"

/** The FourCCs that a server announces: those of codecs that are read (`Readable.ts`). */
export const videoFourCcs: ReadonlyArray<string> = ["avc1", "hvc1", "av01", "vp09"]
export const audioFourCcs: ReadonlyArray<string> = ["mp4a", ".mp3"]
