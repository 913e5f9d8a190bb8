/** A longer silence ends the publication, so a longer step is an error of the publisher's clock. */
const maxForward = 60_000
/** Audio and video of one moment arrive within this. */
const maxBack = 5_000

/**
 * Makes one timeline of the 32-bit timestamps of a publisher: it goes on where they wrap around, and where they jump it goes
 * on as if they had not. Within audio and within video it never goes back.
 */
export class Timeline {
  #raw: number | undefined
  #now = 0
  readonly #last = { audio: 0, video: 0 }

  /** The time of a frame. */
  frame(kind: "audio" | "video", raw: number): number {
    if (this.#raw === undefined) {
      this.#now = raw
    } else {
      const step = (raw - this.#raw) | 0
      if (step <= maxForward && step >= -maxBack) this.#now += step
    }
    this.#raw = raw
    const time = Math.max(this.#now, this.#last[kind])
    this.#last[kind] = time
    return time
  }

  /** The time of what has none of its own: scripts and sequence headers, which encoders repeat with timestamp 0. */
  get now(): number {
    return Math.max(this.#last.audio, this.#last.video)
  }
}
