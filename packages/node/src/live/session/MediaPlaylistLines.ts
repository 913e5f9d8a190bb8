/** A part of a segment, in the playlist. */
export interface ListedPart {
  /** Name of its file. */
  readonly name: string
  readonly seconds: number
  /** Whether decoding can start in it. */
  readonly independent: boolean
}

/** A closed segment of one version of a live. */
export interface LiveSegment {
  /** Name of its file. */
  readonly name: string
  readonly seconds: number
  readonly bytes: number
  /** SHA-256 in hexadecimal digits. */
  readonly digest: string
  /** When its first frame was received, in milliseconds since 1970. */
  readonly at: number
  /** Times or parameters do not go on from the segment before it: another run of the encoder made it. */
  readonly begins: boolean
  /** Name of the file of its initialization section; absent: it is a transport stream. */
  readonly init?: string | undefined
  readonly parts?: ReadonlyArray<ListedPart>
}

/** @param before the initialization section that the lines before are about */
export const mapLine = (init: string | undefined, before: string | undefined): ReadonlyArray<string> =>
  init === undefined || init === before ? [] : [`#EXT-X-MAP:URI="${init}"`]

export const partLine = ({ independent, name, seconds }: ListedPart): string =>
  `#EXT-X-PART:DURATION=${seconds.toFixed(3)},URI="${name}"${independent ? ",INDEPENDENT=YES" : ""}`

/**
 * The lines of a segment in a playlist (RFC 8216 §4.3.2, RFC 8216bis §4.4.4).
 *
 * @param map the initialization section of the segment before it
 */
export const segmentLines = (
  { at, begins, init, name, parts = [], seconds }: LiveSegment,
  map: string | undefined
): ReadonlyArray<string> => [
  ...(begins ? ["#EXT-X-DISCONTINUITY"] : []),
  ...mapLine(init, map),
  `#EXT-X-PROGRAM-DATE-TIME:${new Date(at).toISOString()}`,
  ...parts.map(partLine),
  `#EXTINF:${seconds.toFixed(3)},`,
  name
]
