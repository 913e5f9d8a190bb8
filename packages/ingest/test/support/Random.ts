/** Numbers that are the same for the same seed (mulberry32). */
export const randomOf = (seed: number) => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** A whole number from 0 up to, but excluding, `end`. */
  const below = (end: number): number => Math.floor(next() * end)
  return {
    below,
    pick: <A>(values: ReadonlyArray<A>): A => values[below(values.length)] as A,
    bytes: (length: number): Buffer => Buffer.alloc(length).map(() => below(256)) as Buffer
  }
}

/** How many seeds a search tries: few each time, and many with `scripts/test --all`. */
export const seeds = (few: number, many: number): number => (process.env["TEST_EVERYTHING"] === undefined ? few : many)

export type Random = ReturnType<typeof randomOf>
