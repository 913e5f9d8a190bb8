/** A segment in the list of a version. */
export interface ListedSegment {
  readonly name: string
  readonly seconds: number
}

/** The newest segments of a version. */
export class LiveWindow {
  readonly #max: number
  readonly #listed: Array<ListedSegment> = []
  #sequence = 0
  #longest: number

  constructor(max: number, planned: number) {
    this.#max = max
    this.#longest = Math.ceil(planned)
  }

  /** Adds a segment. Gives those that are no longer listed. */
  add(segment: ListedSegment): ReadonlyArray<ListedSegment> {
    this.#listed.push(segment)
    this.#longest = Math.max(this.#longest, Math.round(segment.seconds))
    const gone = this.#listed.splice(0, Math.max(0, this.#listed.length - this.#max))
    this.#sequence += gone.length
    return gone
  }

  /** The playlist (RFC 8216). */
  get text(): string {
    return [
      "#EXTM3U",
      "#EXT-X-VERSION:3",
      `#EXT-X-TARGETDURATION:${this.#longest}`,
      `#EXT-X-MEDIA-SEQUENCE:${this.#sequence}`,
      ...this.#listed.flatMap(({ name, seconds }) => [`#EXTINF:${seconds.toFixed(6)},`, name]),
      ""
    ].join("\n")
  }
}
