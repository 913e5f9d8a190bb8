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
}

/** How long a segment that left the playlist is still served, in seconds: RFC 8216 §6.2.2 asks for its length and the playlist's. */
const keptSeconds = 30

/**
 * The segments of one version that players may ask for: those of the playlist, which covers a window of time, and those that
 * have just left it.
 */
export class SegmentWindow {
  readonly #window: number
  readonly #listed: Array<LiveSegment> = []
  readonly #leaving: Array<LiveSegment> = []
  #sequence = 0
  #discontinuities = 0
  #longest = 1

  /** @param window how far players may go back, in seconds */
  constructor(window: number) {
    this.#window = window
  }

  /** Adds the next segment. Returns those that nobody may ask for any more. */
  add(segment: LiveSegment): ReadonlyArray<LiveSegment> {
    this.#listed.push(segment)
    this.#longest = Math.max(this.#longest, Math.round(segment.seconds))
    let total = this.#listed.reduce((sum, { seconds }) => sum + seconds, 0)
    for (let first = this.#listed[0]!; total - first.seconds >= this.#window; first = this.#listed[0]!) {
      this.#listed.shift()
      this.#sequence += 1
      if (first.begins) this.#discontinuities += 1
      this.#leaving.push(first)
      total -= first.seconds
    }
    const gone: Array<LiveSegment> = []
    let leaving = this.#leaving.reduce((sum, { seconds }) => sum + seconds, 0)
    while (leaving > keptSeconds + this.#window && this.#leaving.length > 0) {
      const first = this.#leaving.shift()!
      leaving -= first.seconds
      gone.push(first)
    }
    return gone
  }

  /** Segments whose files exist. */
  get files(): ReadonlyArray<LiveSegment> {
    return [...this.#leaving, ...this.#listed]
  }

  get listed(): ReadonlyArray<LiveSegment> {
    return this.#listed
  }

  /** The playlist (RFC 8216). `ended`: no segment follows. */
  text(ended = false): string {
    const lines = [
      "#EXTM3U",
      "#EXT-X-VERSION:6",
      "#EXT-X-INDEPENDENT-SEGMENTS",
      `#EXT-X-TARGETDURATION:${this.#longest}`,
      `#EXT-X-MEDIA-SEQUENCE:${this.#sequence}`,
      `#EXT-X-DISCONTINUITY-SEQUENCE:${this.#discontinuities}`
    ]
    for (const { at, begins, name, seconds } of this.#listed) {
      if (begins) lines.push("#EXT-X-DISCONTINUITY")
      lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(at).toISOString()}`, `#EXTINF:${seconds.toFixed(3)},`, name)
    }
    if (ended) lines.push("#EXT-X-ENDLIST")
    return `${lines.join("\n")}\n`
  }
}
