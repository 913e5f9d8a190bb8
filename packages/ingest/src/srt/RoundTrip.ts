/** Acknowledgements whose answer is waited for. */
const remembered = 256

/** The round-trip time to a peer, from acknowledgements and their answers (SRT 4.10). Milliseconds. */
export class RoundTrip {
  #smoothed = 100
  #variance = 50
  #isMeasured = false
  readonly #sent = new Map<number, number>()

  get time(): number {
    return this.#smoothed
  }

  get variance(): number {
    return this.#variance
  }

  /** An acknowledgement with this number was sent. */
  sent(number: number, now: number): void {
    this.#sent.set(number, now)
    if (this.#sent.size <= remembered) return
    for (const oldest of this.#sent.keys()) {
      this.#sent.delete(oldest)
      return
    }
  }

  /** Its answer came. */
  answered(number: number, now: number): void {
    const sent = this.#sent.get(number)
    if (sent === undefined) return
    this.#sent.delete(number)
    const sample = now - sent
    if (!this.#isMeasured) {
      this.#isMeasured = true
      this.#smoothed = sample
      this.#variance = sample / 2
      return
    }
    this.#variance = (3 * this.#variance + Math.abs(sample - this.#smoothed)) / 4
    this.#smoothed = (7 * this.#smoothed + sample) / 8
  }
}
