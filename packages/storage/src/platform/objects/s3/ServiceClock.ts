/** Milliseconds that a service tolerates at least: most refuse what is signed more than fifteen minutes off. */
const tolerated = 4 * 60_000
/** Differences below this are the way of the answer, not another error of the clock. */
const unchanged = 60_000

/** The clock of a service, by which requests to it are signed. */
export interface ServiceClock {
  /** Its time, as Signature Version 4 writes it: `20261129T120000Z`. */
  readonly now: () => string
  /**
   * Takes the `Date` of an answer that refused a request. True if our clock is so wrong that the request may have been refused for
   * that, and is signed differently from now on.
   */
  readonly learn: (date: string | undefined) => boolean
}

/** Follows our own clock until the service shows that it is wrong. */
export const makeServiceClock = (): ServiceClock => {
  /** Milliseconds by which the service is ahead of us. */
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead).toISOString().replaceAll(/[:-]|\.\d{3}/g, ""),
    learn: (date) => {
      const found = Date.parse(date ?? "") - Date.now()
      if (Number.isNaN(found)) return false
      const error = Math.abs(found) < tolerated ? 0 : found
      if (Math.abs(error - ahead) < unchanged) return false
      ahead = error
      return true
    }
  }
}
