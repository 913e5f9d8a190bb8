import type { Fragment } from "./Mp4Index.ts"

/** A media playlist over one file (RFC 8216, byte ranges). `file` is its name, beside the playlist. */
export const mediaPlaylist = (file: string, initLength: number, segments: ReadonlyArray<Fragment>): string => {
  const target = Math.max(1, ...segments.map((segment) => Math.round(segment.seconds)))
  const lines = [
    "#EXTM3U",
    "#EXT-X-VERSION:7",
    `#EXT-X-TARGETDURATION:${target}`,
    "#EXT-X-MEDIA-SEQUENCE:0",
    "#EXT-X-PLAYLIST-TYPE:VOD",
    "#EXT-X-INDEPENDENT-SEGMENTS",
    `#EXT-X-MAP:URI="${file}",BYTERANGE="${initLength}@0"`,
    ...segments.flatMap((segment) => [
      `#EXTINF:${segment.seconds.toFixed(6)},`,
      `#EXT-X-BYTERANGE:${segment.length}@${segment.offset}`,
      file
    ]),
    "#EXT-X-ENDLIST"
  ]
  return `${lines.join("\n")}\n`
}

/**
 * One entry of a master playlist. Rates are bits/s; `codecs` are RFC 6381 names, including those of the shared audio.
 */
export interface Variant {
  readonly playlist: string
  readonly bandwidth: number
  readonly averageBandwidth: number
  readonly codecs: ReadonlyArray<string>
  readonly video: { readonly width: number; readonly height: number; readonly fps: number } | undefined
}

const audioGroup = "audio"

const variantLines = (variant: Variant, grouped: boolean): ReadonlyArray<string> => {
  const { video } = variant
  const attributes = [
    `BANDWIDTH=${variant.bandwidth}`,
    `AVERAGE-BANDWIDTH=${variant.averageBandwidth}`,
    ...(video === undefined
      ? []
      : [`RESOLUTION=${video.width}x${video.height}`, `FRAME-RATE=${Number(video.fps.toFixed(3))}`]),
    `CODECS="${variant.codecs.join(",")}"`,
    ...(grouped ? [`AUDIO="${audioGroup}"`] : [])
  ]
  return [`#EXT-X-STREAM-INF:${attributes.join(",")}`, variant.playlist]
}

/** A master playlist. `audio` is the playlist of the audio that all variants share, if it is split from them. */
export const masterPlaylist = (variants: ReadonlyArray<Variant>, audio: string | undefined): string => {
  const lines = [
    "#EXTM3U",
    "#EXT-X-VERSION:7",
    "#EXT-X-INDEPENDENT-SEGMENTS",
    ...(audio === undefined
      ? []
      : [`#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="${audioGroup}",NAME="Audio",AUTOSELECT=YES,DEFAULT=YES,URI="${audio}"`]),
    ...variants.flatMap((variant) => variantLines(variant, audio !== undefined))
  ]
  return `${lines.join("\n")}\n`
}

/** Peak rate over the segments and average rate over the whole, bits/s, rounded up. */
export const rates = (segments: ReadonlyArray<Fragment>): { readonly peak: number; readonly average: number } => {
  const bits = segments.reduce((sum, segment) => sum + segment.length * 8, 0)
  const seconds = segments.reduce((sum, segment) => sum + segment.seconds, 0)
  const average = seconds > 0 ? Math.ceil(bits / seconds) : 0
  // The rate of a last segment of a few frames is meaningless.
  const long = segments.filter((segment) => segment.seconds >= 1)
  return {
    peak: Math.max(average, ...long.map((segment) => Math.ceil((segment.length * 8) / segment.seconds))),
    average
  }
}
