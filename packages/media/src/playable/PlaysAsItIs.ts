import type { AudioStream, MediaInfo, VideoStream } from "../probe/MediaInfo.ts"
import { browserPlayable } from "./BrowserPlayable.ts"

/** The container for a source that is served without encoding. */
export type ServedContainer = "mp4" | "webm" | "ogg"

export type AsItIs =
  | { readonly playable: true; readonly container: ServedContainer }
  | { readonly playable: false; readonly reason: string }

interface Codecs {
  readonly container: ServedContainer
  /** ffmpeg demuxers from which the streams can be copied. */
  readonly from: ReadonlySet<string>
  readonly video: ReadonlySet<string>
  readonly audio: ReadonlySet<string>
}

/** What browsers play, in the order in which the containers are tried. */
const served: ReadonlyArray<Codecs> = [
  {
    container: "webm",
    from: new Set(["matroska", "webm"]),
    video: new Set(["vp8", "vp9", "av1"]),
    audio: new Set(["opus", "vorbis"])
  },
  {
    container: "mp4",
    from: new Set(["mov", "matroska"]),
    video: new Set(["h264", "vp9", "av1"]),
    audio: new Set(["aac", "mp3", "opus", "flac"])
  },
  { container: "ogg", from: new Set(["ogg"]), video: new Set(["theora", "vp8"]), audio: new Set(["vorbis", "opus"]) }
]

/** Browsers decode H.264 only with 8 bits and 4:2:0, whatever its pixel aspect ratio. */
const isDecoded = ({ bitDepth, codec, pixelFormat }: VideoStream): boolean =>
  codec !== "h264" || (bitDepth === 8 && ["yuv420p", "yuvj420p"].includes(pixelFormat))

const fits = (codecs: Codecs, info: MediaInfo, video: VideoStream, audio: AudioStream | undefined): boolean =>
  codecs.from.has(info.container) &&
  codecs.video.has(video.codec) &&
  (audio === undefined || codecs.audio.has(audio.codec)) &&
  isDecoded(video)

/**
 * Whether a browser plays a source as one file without encoding, and in which container. Wider than `browserPlayable`,
 * which also requires that the source can be used for HLS until its renditions exist.
 */
export const playsAsItIs = (info: MediaInfo): AsItIs => {
  const { video } = info
  if (video === undefined) return { playable: false, reason: "there is no video" }
  if (browserPlayable(info).playable) return { playable: true, container: "mp4" }
  const found = served.find((codecs) => fits(codecs, info, video, info.audio[0]))
  if (found !== undefined) return { playable: true, container: found.container }
  const withAudio = info.audio[0] === undefined ? "" : ` with ${info.audio[0].codec}`
  return { playable: false, reason: `it is ${video.codec} (${video.pixelFormat})${withAudio} in ${info.container}` }
}
