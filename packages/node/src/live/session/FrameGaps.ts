/** Distances between frames that the usual one is taken of. */
const known = 60
/** So many are needed before a gap is one. */
const least = 10
/** A longer gap is a break, or a jump of the publisher's clock. Milliseconds. */
const longest = 10_000
/** What was dropped lately is of the last milliseconds. */
const lately = 60_000

/**
 * Counts the frames that a publisher's encoder dropped, by the gaps that they leave between timestamps: distances that are
 * longer than one and a half times the usual one.
 */
export class FrameGaps {
  readonly #distances: Array<number> = []
  #last: number | undefined
  #dropped: Array<{ readonly at: number; readonly frames: number }> = []
  #total = 0

  /**
   * @param timestamp of decoding, in milliseconds
   * @param now milliseconds since 1970
   */
  add(timestamp: number, now: number): void {
    const distance = this.#last === undefined ? 0 : timestamp - this.#last
    this.#last = timestamp
    if (distance <= 0 || distance > longest) return
    const usual = this.#distances.toSorted((a, b) => a - b)[this.#distances.length >> 1] ?? 0
    if (this.#distances.length >= least && distance > usual * 1.5) {
      const frames = Math.round(distance / usual) - 1
      this.#total += frames
      this.#dropped.push({ at: now, frames })
    }
    this.#distances.push(distance)
    if (this.#distances.length > known) this.#distances.shift()
    this.#dropped = this.#dropped.filter(({ at }) => now - at < lately)
  }

  /** Frames that were dropped since the connection began. */
  get total(): number {
    return this.#total
  }

  /** Frames that were dropped within the last minute. */
  lately(now: number): number {
    return this.#dropped.reduce((sum, { at, frames }) => (now - at < lately ? sum + frames : sum), 0)
  }
}
