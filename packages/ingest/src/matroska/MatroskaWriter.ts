import { element, float, openElement, string, unsigned } from "./Ebml.ts"

/** Numbers of elements (RFC 9559). */
const id = {
  ebml: 0x1a45dfa3,
  version: 0x4286,
  readVersion: 0x42f7,
  maxIdLength: 0x42f2,
  maxSizeLength: 0x42f3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  flagLacing: 0x9c,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  codecDelay: 0x56aa,
  seekPreRoll: 0x56bb,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  audio: 0xe1,
  samplingFrequency: 0xb5,
  channels: 0x9f,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3
} as const

const trackNumbers = { video: 1, audio: 2 } as const

/** What a stream of Matroska holds: H.264 with what configures its decoder, and Opus with two channels. */
export interface MatroskaTracks {
  readonly video?: { readonly configuration: Uint8Array; readonly width: number; readonly height: number } | undefined
  readonly audio: boolean
}

/** A picture or a packet of sound. */
export interface MatroskaFrame {
  readonly kind: "video" | "audio"
  readonly keyframe: boolean
  /** Milliseconds. */
  readonly time: number
  readonly bytes: Uint8Array
}

/** Version 1, 2 channels, nothing to skip, 48 kHz (RFC 7845, 5.1). */
const opusHead = Buffer.concat([Buffer.from("OpusHead", "ascii"), Buffer.from([1, 2, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0])])

const millisecond = 1_000_000
const preRoll = 80 * millisecond
/** Times within a cluster have 16 bits with a sign. */
const longestCluster = 5000

const head = element(
  id.ebml,
  unsigned(id.version, 1),
  unsigned(id.readVersion, 1),
  unsigned(id.maxIdLength, 4),
  unsigned(id.maxSizeLength, 8),
  string(id.docType, "matroska"),
  unsigned(id.docTypeVersion, 4),
  unsigned(id.docTypeReadVersion, 2)
)

const track = (kind: keyof typeof trackNumbers, codec: string, configuration: Uint8Array, ...rest: Array<Buffer>) =>
  element(
    id.trackEntry,
    unsigned(id.trackNumber, trackNumbers[kind]),
    unsigned(id.trackUid, trackNumbers[kind]),
    unsigned(id.trackType, trackNumbers[kind]),
    unsigned(id.flagLacing, 0),
    string(id.codecId, codec),
    element(id.codecPrivate, configuration),
    ...rest
  )

const videoTrack = ({ configuration, height, width }: NonNullable<MatroskaTracks["video"]>): Buffer =>
  track(
    "video",
    "V_MPEG4/ISO/AVC",
    configuration,
    element(id.video, unsigned(id.pixelWidth, width), unsigned(id.pixelHeight, height))
  )

const audioTrack = (): Buffer =>
  track(
    "audio",
    "A_OPUS",
    opusHead,
    unsigned(id.codecDelay, 0),
    unsigned(id.seekPreRoll, preRoll),
    element(id.audio, float(id.samplingFrequency, 48_000), unsigned(id.channels, 2))
  )

/** Writes a stream of Matroska that is read while it is written: no sizes, and no index. */
export class MatroskaWriter {
  #cluster: number | undefined

  /** What comes before the first frame. */
  begin({ audio, video }: MatroskaTracks): Buffer {
    const info = element(
      id.info,
      unsigned(id.timestampScale, millisecond),
      string(id.muxingApp, "Kinora"),
      string(id.writingApp, "Kinora")
    )
    const tracks = [...(video === undefined ? [] : [videoTrack(video)]), ...(audio ? [audioTrack()] : [])]
    return Buffer.concat([head, openElement(id.segment), info, element(id.tracks, ...tracks)])
  }

  /** One frame, and before it a cluster where one has to begin. */
  frame({ bytes, keyframe, kind, time }: MatroskaFrame): Buffer {
    const at = Math.max(0, Math.round(time))
    const parts: Array<Buffer> = []
    const since = this.#cluster === undefined ? longestCluster : Math.abs(at - this.#cluster)
    if (since >= longestCluster || (kind === "video" && keyframe)) {
      this.#cluster = at
      parts.push(openElement(id.cluster), unsigned(id.timestamp, at))
    }
    const header = Buffer.alloc(4)
    header[0] = 0x80 | trackNumbers[kind]
    header.writeInt16BE(at - this.#cluster!, 1)
    header[3] = keyframe ? 0x80 : 0
    parts.push(element(id.simpleBlock, header, bytes))
    return Buffer.concat(parts)
  }
}
