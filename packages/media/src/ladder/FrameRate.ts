/** A frame rate as an exact ffmpeg value (`30000/1001`) and as a number. */
export interface FrameRate {
  readonly text: string
  readonly value: number
}

const fromWhole = (rate: number): ReadonlyArray<FrameRate> => [
  { text: `${rate}`, value: rate },
  { text: `${rate * 1000}/1001`, value: (rate * 1000) / 1001 }
]

const common = [10, 12, 15, 24, 25, 30, 48, 50, 60, 100, 120].flatMap(fromWhole)

/** The nearest common rate (within 0.05 %), else the number itself with three decimals. */
export const frameRate = (fps: number): FrameRate => {
  const known = common.find((rate) => Math.abs(rate.value - fps) / rate.value < 0.0005)
  if (known !== undefined) return known
  const value = Math.max(1, Math.round(fps * 1000) / 1000)
  return { text: `${Math.round(value * 1000)}/1000`, value }
}

/** Divides a rate by an integer, so that frames stay evenly spaced, until it is at most `cap` (with 2 % tolerance). */
export const capped = (fps: number, cap: number): number => fps / Math.max(1, Math.ceil(fps / (cap * 1.02)))

/**
 * A constant rate for unevenly spaced frames: the nominal one if plausible, else the next common one above the average.
 */
export const steady = (average: number, nominal: number, cap: number): number => {
  if (nominal <= cap * 1.02 && nominal >= average * 0.98) return nominal
  const above = [24, 25, 30, 50, 60].find((rate) => rate >= average * 0.97)
  return Math.min(above ?? average, cap)
}
