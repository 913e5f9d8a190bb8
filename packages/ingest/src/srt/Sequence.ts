const mask = 0x7f_ff_ff_ff
const half = 0x40_00_00_00

/** The sequence number so many packets later. They have 31 bits and wrap around (SRT 3.1). */
export const advanced = (sequence: number, by = 1): number => (sequence + by) & mask

/** How many packets `to` is after `from`; negative before it. */
export const distance = (from: number, to: number): number => {
  const steps = (to - from) & mask
  return steps < half ? steps : steps - mask - 1
}
