/** Segments that may wait for an earlier one. It is given up when there are more. */
const maxHeld = 8

/** Puts the segments of one version in order, as they arrive. */
export class ChunkOrder<A> {
  readonly #held = new Map<number, A>()
  #next: number | undefined

  /** Whether the segment has arrived before, or comes after later ones were used. */
  has(number: number): boolean {
    return this.#held.has(number) || (this.#next !== undefined && number < this.#next)
  }

  /**
   * Takes a segment. Gives those whose turn it is.
   *
   * @param first the number at which the version begins, if that is known
   */
  add(number: number, chunk: A, first: number | undefined): ReadonlyArray<A> {
    if (this.has(number)) return []
    this.#next ??= Math.min(first ?? number, number)
    this.#held.set(number, chunk)
    const ready = this.#ready()
    if (this.#held.size <= maxHeld) return ready
    this.#next = Math.min(...this.#held.keys())
    return [...ready, ...this.#ready()]
  }

  /** What still waits: nothing follows any more. */
  rest(): ReadonlyArray<A> {
    const left = [...this.#held].toSorted(([a], [b]) => a - b)
    this.#held.clear()
    if (left.length > 0) this.#next = left.at(-1)![0] + 1
    return left.map(([, chunk]) => chunk)
  }

  #ready(): ReadonlyArray<A> {
    const ready: Array<A> = []
    for (let chunk = this.#take(); chunk !== undefined; chunk = this.#take()) ready.push(chunk)
    return ready
  }

  #take(): A | undefined {
    const chunk = this.#held.get(this.#next!)
    if (chunk === undefined) return undefined
    this.#held.delete(this.#next!)
    this.#next! += 1
    return chunk
  }
}
