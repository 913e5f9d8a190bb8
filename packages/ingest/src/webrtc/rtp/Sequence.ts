/** Continues numbers of 16 or 32 bits beyond where they wrap around. */
export class Unwrapped {
  readonly #size: number
  #last: number | undefined

  constructor(bits: 16 | 32) {
    this.#size = 2 ** bits
  }

  /** The number nearest to the last one. */
  next(value: number): number {
    const last = this.#last
    if (last === undefined) return (this.#last = value)
    const low = ((last % this.#size) + this.#size) % this.#size
    let step = value - low
    if (step > this.#size / 2) step -= this.#size
    else if (step < -this.#size / 2) step += this.#size
    return (this.#last = last + step)
  }
}
