/** Sizes that are offered as a quota, in bytes; -1 is none. */
const steps = [-1, 0, 100e6, 500e6, 1e9, 5e9, 10e9, 20e9, 50e9, 100e9, 200e9, 500e9, 1e12]

/** The sizes that are offered, with the one that is set where it is another. */
export const quotaSteps = (set: number): ReadonlyArray<number> =>
  steps.includes(set) ? steps : [...steps, set].toSorted((a, b) => a - b)
