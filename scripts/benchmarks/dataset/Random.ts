/** Numbers that look random and are the same at each run (splitmix32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** 32 bits. */
  bits(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0
    let z = this.#state
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return (z ^ (z >>> 15)) >>> 0
  }

  /** At least 0, below 1. */
  share(): number {
    return this.bits() / 4_294_967_296
  }

  /** A whole number from 0 to below the bound. */
  below(bound: number): number {
    return Math.floor(this.share() * bound)
  }

  /** A rank from 0 to below the bound whose frequency falls as one over the rank (Zipf's law). */
  zipf(bound: number): number {
    return Math.floor(Math.exp(this.share() * Math.log(bound + 1))) - 1
  }

  /** A rank from 0 to below the bound: the higher the steepness (1 is even), the more the first ones get. */
  skewed(bound: number, steepness: number): number {
    return Math.floor(this.share() ** steepness * bound)
  }

  chance(probability: number): boolean {
    return this.share() < probability
  }

  pick<A>(values: ReadonlyArray<A>): A {
    return values[this.below(values.length)]!
  }

  /** Version 4 (RFC 9562). */
  uuid(): string {
    const hex = [this.bits(), this.bits(), this.bits(), this.bits()]
      .map((n) => n.toString(16).padStart(8, "0"))
      .join("")
    const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16)
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  }
}
