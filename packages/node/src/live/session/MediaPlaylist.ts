import { type ListedPart, type LiveSegment, mapLine, partLine, segmentLines } from "./MediaPlaylistLines.ts"

/** How long a segment that left the playlist is still served, in seconds: RFC 8216 §6.2.2 asks for its length and the playlist's. */
const keptSeconds = 30
/** Parts are listed of segments that end so many target durations before the end (RFC 8216bis §4.4.4.9). */
const partsWithin = 3
/** A player may leave out segments that are so many target durations before the end (RFC 8216bis §4.4.3.8). */
const skipBefore = 6

/** How segments are offered in parts. Seconds. */
export interface PartRules {
  /** No part is longer. */
  readonly target: number
  /** How far players keep from the end. */
  readonly holdBack: number
}

/** A segment of which some parts are known. */
type OpenSegment = Pick<LiveSegment, "at" | "begins" | "init"> & { readonly parts: Array<ListedPart> }

/** The end of a playlist: the number of the first segment that is not complete, and of the first part of it that is not there. */
export interface PlaylistEnd {
  readonly segment: number
  readonly part: number
}

/** Another version of the live, as the playlist names it. */
export interface Rendition {
  readonly playlist: string
  readonly end: PlaylistEnd
}

/**
 * The segments of one version that players may ask for: those of the playlist, which covers a window of time, and those that
 * have just left it.
 */
export class SegmentWindow {
  readonly #window: number
  readonly #parts: PartRules | undefined
  readonly #listed: Array<LiveSegment> = []
  readonly #leaving: Array<LiveSegment> = []
  #sequence = 0
  #discontinuities = 0
  #longest = 1
  #longestPart: number
  #open: OpenSegment | undefined
  #hint: string | undefined
  /** The lines of segments whose parts are not listed; they change with segments only. */
  #settled: { readonly text: string; readonly count: number; readonly map: string | undefined } | undefined

  /**
   * @param window how far players may go back, in seconds
   * @param parts absent: segments are not offered in parts
   * @param segmentSeconds the least length of a segment
   */
  constructor(window: number, parts?: PartRules, segmentSeconds = 1) {
    this.#window = window
    this.#parts = parts
    this.#longest = segmentSeconds
    this.#longestPart = parts?.target ?? 0
  }

  /** Adds the next segment, of which the parts may be known. Returns those that nobody may ask for any more. */
  add(added: LiveSegment): ReadonlyArray<LiveSegment> {
    const isOpen = this.#open !== undefined && this.#open.init === added.init
    const segment = isOpen ? { ...added, parts: this.#open!.parts } : added
    this.#open = undefined
    this.#settled = undefined
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

  /**
   * Adds a part of the segment that is not complete yet. `within` is that segment.
   *
   * @param next the name of the part that follows
   */
  addPart(part: ListedPart, within: Pick<LiveSegment, "at" | "begins" | "init">, next: string): void {
    // The parts of a run that broke off in the middle of a segment lead to nothing.
    if (this.#open === undefined || this.#open.init !== within.init) this.#open = { ...within, parts: [] }
    this.#open.parts.push(part)
    this.#longestPart = Math.max(this.#longestPart, part.seconds)
    this.#hint = next
  }

  /** Segments whose files exist. */
  get files(): ReadonlyArray<LiveSegment> {
    return [...this.#leaving, ...this.#listed]
  }

  get listed(): ReadonlyArray<LiveSegment> {
    return this.#listed
  }

  get end(): PlaylistEnd {
    return { segment: this.#sequence + this.#listed.length, part: this.#open?.parts.length ?? 0 }
  }

  /** The longest segment in seconds, rounded. */
  get targetDuration(): number {
    return this.#longest
  }

  /** Names of parts that the playlist lists. */
  get parts(): ReadonlyArray<string> {
    const recent = this.#listed.slice(this.#settledLines().count)
    return [...recent, ...(this.#open === undefined ? [] : [this.#open])].flatMap(({ parts = [] }) =>
      parts.map(({ name }) => name)
    )
  }

  /**
   * The playlist (RFC 8216, and RFC 8216bis for parts).
   *
   * @param ended whether no segment follows
   * @param renditions other versions
   */
  text(ended = false, renditions: ReadonlyArray<Rendition> = []): string {
    const { count, map, text } = this.#settledLines()
    return `${this.#head()}${text}${this.#tail(count, map, ended, renditions)}`
  }

  /** The playlist for a player that knows the one before (RFC 8216bis §6.2.5.1). */
  delta(ended = false, renditions: ReadonlyArray<Rendition> = []): string {
    const skipped = this.#countBefore(skipBefore * this.#longest)
    if (skipped === 0) return this.text(ended, renditions)
    return `${this.#head()}#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}\n${this.#tail(skipped, undefined, ended, renditions)}`
  }

  #head(): string {
    const [first] = this.#listed
    const isFragmented = (first ?? this.#open)?.init !== undefined
    return `${[
      "#EXTM3U",
      `#EXT-X-VERSION:${this.#parts === undefined ? (isFragmented ? 7 : 6) : 9}`,
      "#EXT-X-INDEPENDENT-SEGMENTS",
      `#EXT-X-TARGETDURATION:${this.#longest}`,
      ...this.#control(),
      `#EXT-X-MEDIA-SEQUENCE:${this.#sequence}`,
      `#EXT-X-DISCONTINUITY-SEQUENCE:${this.#discontinuities}`
    ].join("\n")}\n`
  }

  #control(): ReadonlyArray<string> {
    if (this.#parts === undefined) return []
    const skip = skipBefore * this.#longest
    const holdBack = Math.max(this.#parts.holdBack, 3 * this.#longestPart)
    return [
      `#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=${skip}.0,PART-HOLD-BACK=${holdBack.toFixed(3)}`,
      `#EXT-X-PART-INF:PART-TARGET=${this.#longestPart.toFixed(3)}`
    ]
  }

  /** How many segments end more than so many seconds before the end of the playlist. */
  #countBefore(seconds: number): number {
    let behind = (this.#open?.parts ?? []).reduce((sum, part) => sum + part.seconds, 0)
    let count = this.#listed.length
    while (count > 0 && behind <= seconds) behind += this.#listed[--count]!.seconds
    return count
  }

  #settledLines() {
    if (this.#settled !== undefined) return this.#settled
    const count = this.#parts === undefined ? this.#listed.length : this.#countBefore(partsWithin * this.#longest)
    const lines: Array<string> = []
    let map: string | undefined
    for (const segment of this.#listed.slice(0, count)) {
      lines.push(...segmentLines({ ...segment, parts: [] }, map))
      map = segment.init
    }
    const text = lines.map((line) => `${line}\n`).join("")
    this.#settled = { text, count, map }
    return this.#settled
  }

  /** The lines of the segments from one on, with their parts, and what follows them. */
  #tail(from: number, before: string | undefined, ended: boolean, renditions: ReadonlyArray<Rendition>): string {
    const recent = this.#settledLines().count
    const lines: Array<string> = []
    let map = before
    for (let index = from; index < this.#listed.length; index++) {
      const segment = this.#listed[index]!
      lines.push(...segmentLines(index < recent ? { ...segment, parts: [] } : segment, map))
      map = segment.init
    }
    if (ended) lines.push("#EXT-X-ENDLIST")
    else if (this.#parts !== undefined) lines.push(...this.#openLines(map), ...renditions.map(reportLine))
    return lines.map((line) => `${line}\n`).join("")
  }

  #openLines(map: string | undefined): ReadonlyArray<string> {
    const hint = this.#hint === undefined ? [] : [`#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${this.#hint}"`]
    if (this.#open === undefined) return hint
    const { at, begins, init, parts } = this.#open
    return [
      ...(begins ? ["#EXT-X-DISCONTINUITY"] : []),
      ...mapLine(init, map),
      `#EXT-X-PROGRAM-DATE-TIME:${new Date(at).toISOString()}`,
      ...parts.map(partLine),
      ...hint
    ]
  }
}

/** What is known of another version, so that a player that turns to it knows where to begin. */
const reportLine = ({ end: { part, segment }, playlist }: Rendition): string =>
  part > 0
    ? `#EXT-X-RENDITION-REPORT:URI="${playlist}",LAST-MSN=${segment},LAST-PART=${part - 1}`
    : `#EXT-X-RENDITION-REPORT:URI="${playlist}",LAST-MSN=${Math.max(0, segment - 1)}`
